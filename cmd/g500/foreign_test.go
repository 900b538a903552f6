package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Every engine and validate refuse labels beyond the scale, for which memory is planned, and name the tuple.
func TestLabelsBeyondTheScaleAreRefused(t *testing.T) {
	official := read(t, edgeFile(t, "u64"))
	for _, label := range []int64{1 << 10, 1572, 1 << 20, -1} {
		list := []byte(official)
		copy(list[16*12345+8:], words(label))
		edges := []string{"--scale", "10", "--format", "u64", "--edges", write(t, list)}
		want := fmt.Sprintf("tuple 12345: label %d is not below 2^10, as labels of scale 10 are", uint64(label))
		for _, args := range [][]string{
			{"run", "--engine", "cpu"}, {"run", "--engine", "cpu", "--ranks", "3"}, {"run", "--engine", "topdown"},
			{"validate", "--ranks", "2", "--tree", "x", "--root", "458"},
		} {
			status, out, errOut := call(append(args, edges...)...)
			if status != failure || strings.Contains(out, "TEPS:") || strings.Count(errOut, want) != 1 {
				t.Errorf("label %d, %q: status %d\n%s%s", label, args, status, out, errOut)
			}
		}
	}
}

// A tree ends at the highest label of an edge or later; the vertices after its end are unreached.
func TestTreesAreAsLongAsTheGraph(t *testing.T) {
	// Vertices 0 to 4 on a path, 5 alone with a self-loop, 6 and 7 without a tuple.
	list := bytes.Repeat(words(0, 1, 1, 2, 2, 3, 3, 4), 32)
	edges := write(t, slices.Concat(list[:len(list)-16], words(5, 5)))
	path := []int64{0, 0, 1, 2, 3, -1}
	for _, c := range []struct {
		meaning string
		root    string
		tree    []byte
		want    string
	}{
		{"to the highest label", "0", words(path...), "VALID"},
		{"to a label between", "0", words(append(path, -1)...), "VALID"},
		{"to the last vertex", "0", words(append(path, -1, -1)...), "VALID"},
		{"with more vertices", "0", words(append(path, -1, -1, -1)...), "of another graph"},
		{"with bytes that are no number", "0", append(words(path...), "garbage"...), "damaged"},
		{"with garbage", "0", append(words(path...), "a garbled tree.."...), "INVALID: validate: output of the search"},
		{"with a vertex that no tuple leads to", "0", words(append(path, 0)...), "INVALID: validate: rule 5"},
		{"with a cycle of such", "0", words(append(path, 7, 6)...), "INVALID: validate: rule 1"},
		{"from a root with a self-loop alone", "5", words(-1, -1, -1, -1, -1, 5), "INVALID: root 5 is no search key"},
		{"from a root without a tuple", "7", words(-1, -1, -1, -1, -1, -1, -1, 7), "INVALID: root 7 is no search key"},
		{"from a root beyond the graph", "8", words(path...), "root 8 is no vertex: labels of scale 3 are below 8"},
	} {
		for _, ranks := range []string{"1", "3"} {
			status, out, errOut := call("validate", "--scale", "3", "--format", "u64", "--edges", edges, "--ranks", ranks,
				"--tree", write(t, c.tree), "--root", c.root)
			if (status == success) != (c.want == "VALID") || !strings.Contains(lastLine(out+errOut), c.want) {
				t.Errorf("a tree %s, %s ranks: status %d\n%s%s", c.meaning, ranks, status, out, errOut)
			}
		}
	}
	status, _, errOut := call("validate", "--graph", "grid2d:3x3", "--tree", write(t, words(path...)), "--root", "9")
	if status == success || !strings.Contains(errOut, "root 9 is no vertex: vertices are below 9") {
		t.Errorf("a graph without labels: status %d, %s", status, errOut)
	}
}
