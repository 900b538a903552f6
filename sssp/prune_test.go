package sssp

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/internal/expect"
)

// pruned returns kernel 1 that always prunes.
func pruned(kernel1 New) New {
	return func(t comm.Transport, tuples graph.WeightedTuples, _ Pruning) (Engine, error) {
		return kernel1(t, tuples, PruneHub)
	}
}

// pruneScales returns the scales of official graphs for tests of pruning, with the number of roots.
func pruneScales() map[int]int {
	if testing.Short() {
		return map[int]int{8: 50, 12: 10}
	}
	return map[int]int{8: 200, 12: 50, 15: 10}
}

// Pruning removes most edges of official graphs, and changes no distance.
func TestPruningChangesNoDistance(t *testing.T) {
	for scale, roots := range pruneScales() {
		for _, ranks := range rankCounts() {
			t.Run(fmt.Sprintf("scale %d, %d ranks", scale, ranks), func(t *testing.T) { comparePruned(t, scale, ranks, roots) })
		}
	}
}

func comparePruned(t *testing.T, scale, ranks, roots int) {
	expect.NoError(t, comm.Loopback(ranks, func(tr comm.Transport) error {
		p, tuples := officialShare(tr.Rank(), ranks, scale)
		unpruned, err := NewSearch(2)(tr, tuples, PruneNone)
		if err != nil {
			return err
		}
		pruned, err := NewSearch(2)(tr, tuples, PruneHub)
		if err != nil {
			return err
		}
		all, kept := len(unpruned.(*search).s.Cols), len(pruned.(*search).s.Cols)
		if scale >= 12 && kept > all/4 {
			t.Errorf("%d of %d edges are left", kept, all)
		}
		for i := range roots {
			root := p.KeyCandidate(int64(i))
			if root >= unpruned.Layout().Vertices() {
				continue
			}
			want, err := distancesOf(unpruned, root)
			if err != nil {
				return err
			}
			got, err := distancesOf(pruned, root)
			if err != nil {
				return err
			}
			if !slices.Equal(got, want) {
				return fmt.Errorf("root %d: pruning changes distances", root)
			}
		}
		return nil
	}))
}

// distancesOf returns the bits of the distances of a search on this rank.
func distancesOf(e Engine, root graph.Global) ([]uint32, error) {
	p, err := e.Search(root)
	if err != nil {
		return nil, err
	}
	_, distances, err := p.Host()
	bits := make([]uint32, len(distances))
	for i, d := range distances {
		bits[i] = math.Float32bits(d)
	}
	return bits, err
}

// Without the margin, or with a negative one, edges of shortest paths are removed. The graph has an edge that is longer
// than the detour over the hub. From root 1 the detour is nevertheless longer, because its two sums are rounded up and
// the sum with the edge is rounded down.
func TestMarginIsNeeded(t *testing.T) {
	const root, u, hub0, v = 1, 2, 0, 3
	const unit = 1.0 / (1 << 23) // of sums from 1 to 2
	edges := []graph.Edge{graph.NewEdge(root, u), graph.NewEdge(u, hub0), graph.NewEdge(hub0, v), graph.NewEdge(u, v)}
	weights := []float32{1, 0.6 * unit, 0.6 * unit, 1.25 * unit}
	for leaf := graph.Global(4); leaf < 9; leaf++ {
		edges, weights = append(edges, graph.NewEdge(hub0, leaf)), append(weights, 1)
	}
	want := float32(1 + unit)
	for _, c := range []struct {
		name   string
		factor float64
		equal  bool
	}{{"as computed", 1, true}, {"none", 0, false}, {"negative", -1, false}} {
		expect.NoError(t, comm.Loopback(1, func(tr comm.Transport) error {
			made, err := NewSearch(1)(tr, graph.HostWeightedTuples{HostTuples: edges, Weights: weights}, PruneNone)
			if err != nil {
				return err
			}
			e := made.(*search)
			if hub, err := e.largestHub(); err != nil || hub != hub0 {
				t.Errorf("the hub is %d (%v), want %d", hub, err, hub0)
			}
			if _, err := e.Search(hub0); err != nil {
				return err
			}
			distances := make([]float32, e.s.Connected())
			for h := range distances {
				distances[h] = e.d.at(csr.ID(h)).distance()
			}
			margin, err := e.margin(distances)
			if err != nil {
				return err
			}
			e.dropLonger(distances, c.factor*margin)
			p, err := e.Search(root)
			if err != nil {
				return err
			}
			if got := p.(*HostPaths).Distances[v]; (got == want) != c.equal {
				t.Errorf("margin %s: vertex %d is at %g, with all edges at %g", c.name, v, got, want)
			}
			return nil
		}))
	}
}

// The margin depends on the farthest vertex and the path with the most edges of all ranks.
func TestMarginOfAPath(t *testing.T) {
	const hops = 40 // from the hub, vertex 0
	var edges []graph.Edge
	var weights []float32
	for v := graph.Global(1); v <= hops; v++ {
		edges, weights = append(edges, graph.NewEdge(v-1, v)), append(weights, 0.5)
	}
	for leaf := graph.Global(100); leaf < 104; leaf++ {
		edges, weights = append(edges, graph.NewEdge(0, leaf)), append(weights, 0.25)
	}
	for _, ranks := range rankCounts() {
		expect.NoError(t, comm.Loopback(ranks, func(tr comm.Transport) error {
			var own graph.HostWeightedTuples
			if tr.Rank() == 0 {
				own = graph.HostWeightedTuples{HostTuples: edges, Weights: weights}
			}
			made, err := NewSearch(2)(tr, own, PruneNone)
			if err != nil {
				return err
			}
			e := made.(*search)
			if _, err := e.Search(0); err != nil {
				return err
			}
			distances := make([]float32, len(e.labels))
			err = e.share(e.distanceBits, func(p position, bits uint32) { distances[p] = math.Float32frombits(bits) })
			if err != nil {
				return err
			}
			if margin, err := e.margin(distances); err != nil || margin != Margin(hops*0.5, hops) {
				t.Errorf("%d ranks: margin %g (%v), want %g", ranks, margin, err, Margin(hops*0.5, hops))
			}
			return nil
		}))
	}
	if m := Margin(1, mostHops+1); !math.IsInf(m, 1) {
		t.Errorf("for too many hops the margin is %g", m)
	}
}
