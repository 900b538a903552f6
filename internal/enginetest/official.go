// SPDX-License-Identifier: Apache-2.0

package enginetest

import (
	"reflect"
	"slices"
	"testing"

	"g500/comm"
	"g500/comm/commtest"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/expect"
	"g500/internal/trace"
	"g500/kronecker"
)

// OfficialParams returns the parameters of the official graph of a scale.
func OfficialParams(scale int) kronecker.Params {
	return kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}
}

// Official returns the parameters of the official graph of a scale, and a rank's share of its tuples.
func Official(scale, rank, ranks int) (kronecker.Params, graph.HostTuples) {
	p := OfficialParams(scale)
	first := p.Edges() * int64(rank) / int64(ranks)
	n := p.Edges()*int64(rank+1)/int64(ranks) - first
	own := graph.HostTuples{Edges: make([]graph.Edge, n), Weights: make([]float32, n)}
	p.Fill(first, own.Edges, own.Weights)
	return p, own
}

// OfficialEdges returns the tuples of the official graph of a scale.
func OfficialEdges(scale int) []graph.Edge {
	_, all := Official(scale, 0, 1)
	return all.Edges
}

// Ends counts the tuples that end at each label, without self-loops. A vertex with one is a leaf.
func Ends(edges []graph.Edge) map[graph.Global]int {
	ends := map[graph.Global]int{}
	for _, e := range edges {
		if !e.SelfLoop() {
			ends[e.U()]++
			ends[e.V()]++
		}
	}
	return ends
}

// Simple counts vertices and edges without duplicates and self-loops with maps.
func Simple(edges []graph.Edge) (vertices, different int64) {
	pairs := map[[2]graph.Global]bool{}
	for _, e := range edges {
		if !e.SelfLoop() {
			pairs[[2]graph.Global{min(e.U(), e.V()), max(e.U(), e.V())}] = true
		}
	}
	return int64(len(Ends(edges))), int64(len(pairs))
}

// Share returns a rank's equal share of the tuples.
func Share(list graph.HostTuples, tr comm.Transport) graph.HostTuples {
	r, n := tr.Rank(), tr.Size()
	return list.Cut(len(list.Edges)*r/n, len(list.Edges)*(r+1)/n)
}

// Shortest returns the distances from a root and the parents on shortest paths, -1 for vertices that are not reached.
// It is the oracle of all engines: it relaxes all edges until no distance changes. Distances are summed in single
// precision; rounded addition is monotone, so they equal the distances of Dijkstra's algorithm. Edges without weights
// have the weight 1.
func Shortest(list graph.HostTuples, vertices int, root graph.Global) (distances []float32, parents []graph.Global) {
	distances, parents = slices.Repeat([]float32{-1}, vertices), slices.Repeat([]graph.Global{graph.NoParent}, vertices)
	distances[root], parents[root] = 0, root
	for changed := true; changed; {
		changed = false
		relax := func(from, to graph.Global, weight float32) {
			if d := distances[from] + weight; distances[from] >= 0 && (distances[to] < 0 || d < distances[to]) {
				distances[to], parents[to], changed = d, from, true
			}
		}
		for i, e := range list.Edges {
			weight := float32(1)
			if list.Weights != nil {
				weight = list.Weights[i]
			}
			if relax(e.U(), e.V(), weight); !list.Arcs {
				relax(e.V(), e.U(), weight)
			}
		}
	}
	return distances, parents
}

// Outcome is the result of a search with its steps.
type Outcome struct {
	Steps  []trace.Step
	Result engine.HostResult
}

// Outcomes searches from roots in order.
func Outcomes(t testing.TB, e engine.Engine, roots []graph.Global) (all map[graph.Global]Outcome) {
	all = map[graph.Global]Outcome{}
	var steps []trace.Step
	e.(trace.Stepper).OnStep(func(s trace.Step) error { steps = append(steps, s); return nil })
	for _, root := range roots {
		steps = nil
		found := expect.Value(expect.Value(e.Search(root))(t).Host())(t) // which the next search overwrites
		all[root] = Outcome{steps, engine.HostResult{
			Parents: slices.Clone(found.Parents), Distances: slices.Clone(found.Distances),
		}}
	}
	return all
}

// IsIndependent checks that searches of an official graph have the same steps and results in any order. They are
// reproducible with one worker per rank, if ranks share no bitmaps.
func IsIndependent(t testing.TB, e engine.Engine, p kronecker.Params) {
	var roots []graph.Global
	for i := int64(0); len(roots) < 64; i++ {
		if root := p.KeyCandidate(i); root < e.Layout().Vertices() && !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	forth := Outcomes(t, e, roots)
	slices.Reverse(roots)
	for root, back := range Outcomes(t, e, roots) {
		expect.Must(t, reflect.DeepEqual(forth[root], back),
			"root %d: %v, in another order %v", root, forth[root].Steps, back.Steps)
	}
}

// Ranks returns the numbers of ranks under test. Short tests, for the race detector, have three ranks.
func Ranks(numbers ...int) []int {
	if testing.Short() {
		return []int{3}
	}
	return numbers
}

// OnRanks runs a test on n ranks of the loopback. A failed check ends the rank, and then the test.
func OnRanks(t testing.TB, n int, body func(t testing.TB, tr comm.Transport)) {
	t.Helper()
	expect.NoError(t, comm.Loopback(n, func(tr comm.Transport) error {
		body(commtest.OnRank{TB: t}, tr)
		return nil
	}))
}
