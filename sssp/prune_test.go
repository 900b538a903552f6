// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/graph/engine"
	"g500/internal/enginetest"
	"g500/internal/expect"
)

// Pruning removes most edges of official graphs. TestDistancesAreDijkstras and TestGoldens have pruned graphs.
func TestPruningRemovesMostEdges(t *testing.T) {
	for _, ranks := range enginetest.Ranks(1, 3) {
		enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
			_, tuples := enginetest.Official(12, tr.Rank(), ranks)
			unpruned := expect.Value(NewSearch(2)(tr, tuples, PruneNone))(t).(*search)
			pruned := expect.Value(NewSearch(2)(tr, tuples, PruneHub))(t).(*search)
			all, kept := len(unpruned.s.Cols), len(pruned.s.Cols)
			expect.That(t, kept <= all/4, "%d of %d edges are left", kept, all)
		})
	}
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
		enginetest.OnRanks(t, 1, func(t testing.TB, tr comm.Transport) {
			e := expect.Value(NewSearch(1)(tr, graph.HostTuples{Edges: edges, Weights: weights}, PruneNone))(t).(*search)
			expect.Equal(t, expect.Value(e.largestHub())(t), hub0, "the hub")
			expect.NoError(t, expect.Err(e.Search(hub0)))
			distances := make([]float32, e.s.Connected())
			for h := range distances {
				distances[h] = e.d.at(csr.ID(h)).distance()
			}
			e.dropLonger(distances, c.factor*expect.Value(e.margin(distances))(t))
			got := expect.Value(e.Search(root))(t).(engine.HostResult).Distances[v]
			expect.Equal(t, got == want, c.equal, "margin", c.name, "vertex", v, "is at", got, "with all edges at", want)
		})
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
	for _, ranks := range enginetest.Ranks(1, 3) {
		enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
			own := enginetest.Share(graph.HostTuples{Edges: edges, Weights: weights}, tr)
			e := expect.Value(NewSearch(2)(tr, own, PruneNone))(t).(*search)
			expect.NoError(t, expect.Err(e.Search(0)))
			distances := make([]float32, len(e.labels))
			expect.NoError(t, e.share(e.distanceBits, func(p position, bits uint32) {
				distances[p] = math.Float32frombits(bits)
			}))
			expect.Equal(t, expect.Value(e.margin(distances))(t), Margin(hops*0.5, hops), ranks, "ranks")
		})
	}
	expect.Equal(t, Margin(1, mostHops+1), math.Inf(1), "margin for too many hops")
}

// Rows of any length keep the lightest edge to each neighbour, by weight, then neighbour, with a bit for each position
// or for some; the oracle is a map.
func TestRowCleaner(t *testing.T) {
	const positions = 75_000
	for _, ends := range []int64{0, 1 << 10, 1 << 20} {
		cleaner := newRowCleaners(2, positions, ends)[1]
		r := rand.New(rand.NewPCG(3, 4))
		for _, n := range []int{0, 1, 2, 100, 3000, 50_000, 17} {
			row := make([]edge, n)
			lightest := map[position]float32{}
			for i := range row {
				to, weight := position(r.IntN(n+n/2)), r.Float32()
				if i%100 == 0 {
					weight = float32(r.IntN(3))
				}
				row[i] = edgeTo(to, weight)
				if known, seen := lightest[to]; !seen || weight < known {
					lightest[to] = weight
				}
			}
			slices.Sort(row)
			row = row[:cleaner.clean(row)]
			expect.Equal(t, slices.IsSorted(row), true, "a row of", n, "edges is sorted, ends", ends)
			expect.Equal(t, len(row), len(lightest), "of", n, "edges are left, ends", ends)
			for _, e := range row {
				expect.Equal(t, e.weight(), lightest[e.to()], "of", n, "edges the one to", e.to())
			}
		}
	}
}

// The bitmaps of any number of workers have the memory that is announced, and bits for all positions if it suffices.
func TestBitmapBytes(t *testing.T) {
	for _, positions := range []int64{1, 100, 1 << 20} {
		for _, ends := range []int64{1000, 1 << 20, 1 << 30} {
			for _, workers := range []int{1, 2, 64, 100} {
				all := newRowCleaners(workers, positions, ends)
				words := int64(len(all) * len(all[0].seen))
				limit := max(bitmapBytes(positions, ends)/wordBytes, int64(workers))
				expect.That(t, words <= limit,
					"%d positions, %d ends, %d workers: %d words, the limit is %d", positions, ends, workers, words, limit)
				suffices := ends >= positions*int64(workers) && workers <= fullBitmaps
				expect.That(t, !suffices || int64(len(all[0].seen)*wordBits) >= positions,
					"%d positions, %d ends, %d workers: %d words each", positions, ends, workers, len(all[0].seen))
			}
		}
	}
}
