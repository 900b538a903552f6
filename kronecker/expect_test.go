// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"math"
	"slices"
	"testing"

	"g500/graph"
)

// Expectations are close to the values of official graphs.
func TestExpectedDegrees(t *testing.T) {
	eachGraph(t, func(t *testing.T, g goldenGraph) {
		if g.Scale < 10 {
			return // random deviations are too large
		}
		p := g.params()
		connected := float64(g.Vertices - int64(g.Degree.Isolated))
		if got := p.Connected(); math.Abs(got/connected-1) > 0.02 {
			t.Errorf("%g non-isolated vertices, the graph has %g", got, connected)
		}
		if got, want := p.NonLeaves(), nonLeaves(p); math.Abs(got/want-1) > 0.03 {
			t.Errorf("%g vertices are no leaves, of the graph %g", got, want)
		}
		if got, most := p.HighestDegree(), float64(g.Degree.Max); math.Abs(got/most-1) > 0.03 {
			t.Errorf("the highest degree is %g, the graph has %g", got, most)
		}
		if got, want := p.ShareOfHighest(200), shareOfHighest(p, 200); math.Abs(got/want-1) > 0.03 {
			t.Errorf("200 vertices have %g of the ends, in the graph %g", got, want)
		}
	})
}

// nonLeaves counts the vertices in which several tuples end.
func nonLeaves(p Params) (n float64) {
	for _, degree := range endsOf(p) {
		if degree > 1 {
			n++
		}
	}
	return n
}

func shareOfHighest(p Params, vertices int) (share float64) {
	ends := endsOf(p)
	slices.Sort(ends)
	for _, n := range ends[len(ends)-vertices:] {
		share += float64(n) / float64(2*p.Edges())
	}
	return share
}

// endsOf returns the tuples to other vertices that end in each vertex.
func endsOf(p Params) []int {
	edges, ends := make([]graph.Edge, p.Edges()), make([]int, p.Vertices())
	p.Fill(0, edges)
	for _, e := range edges {
		if e.U() != e.V() {
			ends[e.U()]++
			ends[e.V()]++
		}
	}
	return ends
}

// Degrees are below 2^32 up to the largest problem class; the number of non-isolated vertices is up to scale 33.
func TestExpectationsOfLargeGraphs(t *testing.T) {
	for scale := 1; scale <= 42; scale++ {
		p := Params{Scale: scale, EdgeFactor: 16}
		connected := p.Connected()
		if connected <= 0 || connected > float64(p.Vertices()) || (connected < math.MaxUint32) != (scale <= 33) {
			t.Errorf("scale %d: %g non-isolated vertices", scale, connected)
		}
		if degree := p.HighestDegree(); degree >= math.MaxUint32 {
			t.Errorf("scale %d: the highest degree is %g", scale, degree)
		}
	}
}
