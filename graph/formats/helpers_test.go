// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"compress/gzip"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/lists"
)

func mustParse(t *testing.T, spec string) Spec {
	t.Helper()
	return expect.Value(Parse(spec))(t)
}

// made returns the graph of a spec, made by three workers.
func made(t *testing.T, spec string) *Graph {
	t.Helper()
	return expect.Value(mustParse(t, spec).Make(t.Context(), 3, 0))(t)
}

// refused checks that a graph is refused with one sentence that has certain texts.
func refused(t *testing.T, spec string, wants ...string) {
	t.Helper()
	_, err := mustParse(t, spec).Make(t.Context(), 2, 1<<40)
	for _, want := range wants {
		expect.That(t, err != nil && strings.Contains(err.Error(), want) && isSentence(err.Error()),
			"%s: %v, want a refusal with %q", spec, err, want)
	}
}

// isSentence reports whether a text is one line without bytes of a binary file.
func isSentence(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) &&
		!strings.Contains(text, `\x`)
}

// stored writes a file, compressed if its name ends with .gz, and returns its path.
func stored(t *testing.T, name, content string) string {
	t.Helper()
	if strings.HasSuffix(name, ".gz") {
		content = string(gzipOf(t, content))
	}
	return expect.File(t, name, content)
}

func gzipOf(t *testing.T, content string) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte(content))
	expect.NoError(t, errors.Join(err, w.Close()))
	return packed.Bytes()
}

// arc is an entry of a row.
type arc struct{ from, to int }

// entriesOf returns the weights of each entry of a graph, 0 in a graph without weights. It checks offsets, the order of
// rows, and that an undirected graph has both directions.
func entriesOf(t *testing.T, g *Graph) map[arc][]float32 {
	t.Helper()
	all := map[arc][]float32{}
	expect.Must(t, g.Offsets[0] == 0 && g.Offsets[g.Vertices()] == g.Entries(),
		"offsets from %d to %d, %d entries", g.Offsets[0], g.Offsets[g.Vertices()], g.Entries())
	for v := range g.Vertices() {
		expect.Must(t, slices.IsSorted(g.Row(v)), "row %d is not sorted: %v", v, g.Row(v))
		for i, to := range g.Row(v) {
			w := float32(0)
			if g.Weights != nil {
				w = g.Weights[g.Offsets[v]+int64(i)]
			}
			all[arc{v, int(to)}] = append(all[arc{v, int(to)}], w)
		}
	}
	for a, weights := range all {
		expect.Must(t, g.Directed || slices.Equal(weights, all[arc{a.to, a.from}]),
			"entry %v has weights %v, its reverse %v", a, weights, all[arc{a.to, a.from}])
	}
	return all
}

// arcsOf counts the entries of a graph.
func arcsOf(t *testing.T, g *Graph) map[arc]int {
	t.Helper()
	all := map[arc]int{}
	for a, weights := range entriesOf(t, g) {
		all[a] = len(weights)
	}
	return all
}

// undirected returns the entries of an undirected graph with certain edges, without duplicates and self-loops.
func undirected(edges [][2]int) map[arc]int {
	all := map[arc]int{}
	for _, e := range edges {
		if e[0] != e[1] {
			all[arc{e[0], e[1]}], all[arc{e[1], e[0]}] = 1, 1
		}
	}
	return all
}

func checkArcs(t *testing.T, name string, g *Graph, want map[arc]int) {
	t.Helper()
	got := arcsOf(t, g)
	if maps.Equal(got, want) {
		return
	}
	for a := range want {
		expect.Must(t, got[a] == want[a], "%s: entry %v occurs %d times, want %d", name, a, got[a], want[a])
	}
	t.Errorf("%s: %d entries, want %d", name, len(got), len(want))
}

func same(a, b *Graph) bool {
	return slices.Equal(a.Offsets, b.Offsets) && slices.Equal(a.Neighbours, b.Neighbours) &&
		slices.Equal(a.Weights, b.Weights) && a.Edges() == b.Edges()
}

// slowDistances returns the distances from each root by repeated relaxation of all edges, -1 for unreached vertices.
func slowDistances(g *Graph) (from [][]int) {
	list := graph.HostTuples{Edges: make([]graph.Edge, g.Edges()), Arcs: g.Directed}
	NewEdgeList(g, 1).Read(0, list.Edges, nil)
	for root := range g.Vertices() {
		distances, _ := enginetest.Shortest(list, g.Vertices(), graph.Global(root))
		from = append(from, lists.Of(distances, func(d float32) int { return int(d) }))
	}
	return from
}
