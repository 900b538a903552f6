// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"slices"
	"testing"

	"g500/graph"
)

// oneByOne is the reference implementation of Fill: it draws each edge from the seed, level by level.
func oneByOne(p Params, first int64, n int) ([]graph.Edge, []float32) {
	g := p.generator()
	edges, weights := make([]graph.Edge, n), make([]float32, n)
	for k := range n {
		edges[k], weights[k] = g.edge(g.stream(first + int64(k)))
	}
	return edges, weights
}

func checkFill(t *testing.T, p Params, first int64, n int) {
	t.Helper()
	wantEdges, wantWeights := oneByOne(p, first, n)
	edges, weights := make([]graph.Edge, n), make([]float32, n)
	p.Fill(first, edges)
	if !slices.Equal(edges, wantEdges) {
		t.Errorf("%+v: Fill from edge %d on differs from its %d edges one by one", p, first, n)
	}
	clear(edges)
	p.FillWeighted(first, edges, weights)
	if !slices.Equal(edges, wantEdges) || !slices.Equal(weights, wantWeights) {
		t.Errorf("%+v: FillWeighted from edge %d on differs from its %d edges one by one", p, first, n)
	}
}

func TestFill(t *testing.T) {
	for _, scale := range []int{1, 2, 5, 20, 32, 33, graph.MaxScale} {
		p := Params{scale, 16, 2, 3}
		for _, first := range []int64{0, 1, 3, p.Edges() / 2, p.Edges() - 5} {
			for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 1000} {
				checkFill(t, p, max(first, 0), n)
			}
		}
	}
}

func FuzzFill(f *testing.F) {
	f.Add(20, uint64(2), uint64(3), int64(1)<<32-2, uint8(5))
	f.Add(graph.MaxScale, uint64(1)<<60, uint64(0), int64(1)<<50, uint8(255))
	f.Fuzz(func(t *testing.T, scale int, seed1, seed2 uint64, first int64, n uint8) {
		p := Params{scale, 16, seed1, seed2}
		if p.Validate() != nil || first < 0 {
			t.Skip("not an edge of a graph")
		}
		checkFill(t, p, first, int(n))
	})
}

// An edge with a rejected draw is correct in each lane, and so are the three other edges.
func TestRejectedDrawsInEachLane(t *testing.T) {
	p := Params{14, 16, 2, 3}
	g := p.generator()
	found := 0
	for i := range p.Edges() {
		stream := g.stream(i)
		if slices.Min(drawN(&stream, p.Scale)) >= tooLow {
			continue
		}
		found++
		for lane := range min(width, i+1) {
			checkFill(t, p, i-lane, width)
		}
	}
	if found == 0 {
		t.Error("no draw of the graph is rejected: the test tests nothing")
	}
}
