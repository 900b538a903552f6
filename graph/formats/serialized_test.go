package formats

import (
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// The files gap* of the cases were written by GAP's converter from gap.el and gap.wel.
func TestSerializedGraphsOfGAP(t *testing.T) {
	path := map[arc]float32{{0, 1}: 5, {1, 2}: 6, {2, 3}: 7, {1, 0}: 5, {2, 1}: 6, {3, 2}: 7}
	plain := map[arc]float32{}
	for a := range path {
		plain[a] = 0
	}
	forward := map[arc]float32{{0, 1}: 0, {1, 2}: 0, {2, 3}: 0}
	for spec, want := range map[string]map[arc]float32{
		"gap.sg":                                 plain,
		"gap.sg,symmetric=no":                    plain,
		"gap.wsg":                                path,
		"gap.wsg,weights=none":                   plain,
		"gap.wsg,duplicates=keep,loops=keep":     path,
		"gap-directed.sg":                        plain,
		"gap-directed.sg,symmetric=no":           forward,
		"gap-directed.sg,symmetric=no,format=sg": forward,
	} {
		g := made(t, "file:testdata/cases/"+spec)
		if got := weightedArcs(t, g); !maps.Equal(got, want) || g.Vertices() != 4 || g.Source.Fingerprint.Bytes < 81 {
			t.Errorf("%s: %v, want %v; source %+v", spec, got, want, g.Source)
		}
	}
	if g := made(t, "file:testdata/cases/gap.sg,weights=uniform,shuffle=true"); g.Edges() != 3 || g.Weights == nil {
		t.Errorf("%d edges, weights %v", g.Edges(), g.Weights)
	}
	data, err := os.ReadFile("testdata/cases/gap.wsg")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 { // both entries of the edge with weight 5
		binary.LittleEndian.PutUint32(data[serializedBytes+5*8+8*i+4:], 1<<24+1)
	}
	checkNotes(t, "a weight of 25 bits", made(t, "file:"+stored(t, "a.wsg", string(data))), "rounded to single")
	for i := range 2 {
		binary.LittleEndian.PutUint32(data[serializedBytes+5*8+8*i+4:], 5)
	}
	if g := made(t, "file:"+pipeOf(t, data)+",format=wsg"); !maps.Equal(weightedArcs(t, g), path) {
		t.Errorf("from a pipe: %v", weightedArcs(t, g))
	}
	if g := made(t, "file:"+stored(t, "a.wsg.gz", string(data))); !maps.Equal(weightedArcs(t, g), path) {
		t.Errorf("compressed: %v", weightedArcs(t, g))
	}
}

// Rows in any order, with duplicates and self-loops, are read like the list of their edges; damaged files are refused.
func TestUnusualSerializedGraphs(t *testing.T) {
	write := func(directed byte, offsets []int64, neighbours []uint32, more string) string {
		var file bytes.Buffer
		file.WriteByte(directed)
		for _, part := range []any{int64(len(neighbours)), int64(len(offsets) - 1), offsets, neighbours} {
			if err := binary.Write(&file, binary.LittleEndian, part); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(t.TempDir(), "a.sg")
		if err := os.WriteFile(path, append(file.Bytes(), more...), 0o644); err != nil {
			t.Fatal(err)
		}
		return "file:" + path
	}
	g := made(t, write(0, []int64{0, 4, 6, 7}, []uint32{2, 1, 1, 0, 0, 0, 0}, ""))
	checkArcs(t, "unsorted", g, undirected([][2]int{{0, 1}, {0, 2}}))
	g = made(t, write(0, []int64{0, 4, 6, 7}, []uint32{2, 1, 1, 0, 0, 0, 0}, "")+",duplicates=keep,loops=keep")
	checkArcs(t, "all", g, map[arc]int{{0, 0}: 1, {0, 1}: 2, {1, 0}: 2, {0, 2}: 1, {2, 0}: 1})
	const damaged = "or cut off"
	refused(t, write(0, []int64{0, 1, 2}, []uint32{1, 0}, "x"), damaged)
	refused(t, write(2, []int64{0, 1, 2}, []uint32{1, 0}, ""), damaged)
	refused(t, write(1, []int64{0, 1, 2}, []uint32{1, 0}, ""), damaged)
	refused(t, write(0, []int64{0, 1, 1}, []uint32{1}, ""), "the reverse entry of an edge")
	refused(t, write(0, []int64{0, 2, 1}, []uint32{1}, ""), "the offsets of the rows")
	refused(t, write(0, []int64{0, 1, 2}, []uint32{1, 2}, ""), "a neighbour is no vertex")
	refused(t, "file:"+stored(t, "a.sg.gz", "\x00\xff\xff\xff\xff\xff\xff"), "may be damaged")
	refused(t, "file:testdata/cases/gap.sg,format=wsg", damaged)
}

func TestAdjacencyGraphs(t *testing.T) {
	for content, want := range map[string]map[arc]float32{
		"AdjacencyGraph\n3\n4\n0\n1\n3\n1\n0\n2\n1\n":                      {{0, 1}: 0, {1, 0}: 0, {1, 2}: 0, {2, 1}: 0},
		"WeightedAdjacencyGraph\r\n3\r\n2\r\n0\r\n0\r\n2\n2\n0\n5\n-1\n\n": {{1, 2}: 5, {2, 1}: 5, {1, 0}: -1, {0, 1}: -1},
	} {
		g := made(t, "file:"+stored(t, "a.x", content))
		if got := weightedArcs(t, g); !maps.Equal(got, want) || g.Vertices() != 3 {
			t.Errorf("%q: %v, want %v", content, weightedArcs(t, g), want)
		}
	}
	for content, want := range map[string]string{
		"AdjacencyGraph\n3\n4\n0\n1\n3\n1\n0\n2\n":       ":10:1: the file ends after 6 of 7 numbers",
		"AdjacencyGraph\n3\n4\n0\n1\n3\n1\n0\n2\n1\n1\n": ":11:1: expected the end of the line after a number, or after",
		"AdjacencyGraph\n3\n4\n0\n1\n3\n1\n0\n3\n1\n":    ":9:1: expected a neighbour (a whole number from 0 to 2)",
		"AdjacencyGraph\n3\n4\n0\n3\n1\n1\n0\n2\n1\n":    "the offsets of the rows do not rise from 0",
		"AdjacencyGraph\n3\n4\n0\n1 3\n1\n0\n2\n1\n":     ":5:3: expected the end of the line after a number",
		"AdjacencyGraph\n3 4\n":                          ":2:3: expected the end of the line after the number of vertices",
		"WeightedAdjacencyGraph\n1\n1\n0\n0\n1e99\n":     "beyond single precision",
	} {
		refused(t, "file:"+stored(t, "a.adj", content), want)
	}
}
