// SPDX-License-Identifier: Apache-2.0

package partition_test

import (
	"fmt"
	"testing"

	"g500/graph"
	"g500/internal/expect"
	"g500/partition"
)

// The invariants of Layout, for every vertex of small layouts. As Local is monotone and leaves no gap, the next vertex
// of a rank has the next local id.
func TestInvariants(t *testing.T) {
	for _, p := range []int{1, 2, 3, 4, 7, 64, 100} {
		for _, n := range []graph.Global{0, 1, 2, 3, 6, 7, 8, 63, 64, 65, 1000, 1024} {
			t.Run(fmt.Sprintf("%d vertices on %d ranks", n, p), func(t *testing.T) {
				l := partition.NewCyclic(n, p)
				next := make([]int, p)
				for v := range n {
					checkVertex(t, l, v)
					owner := l.Owner(v)
					expect.Must(t, int(l.Local(v)) == next[owner], "vertex %d: local id %d, want %d", v, l.Local(v), next[owner])
					next[owner]++
				}
				for rank, count := range next {
					expect.Equal(t, l.Count(rank), count, "rank", rank, "vertices")
				}
			})
		}
	}
}

// checkVertex checks one vertex: rank v mod P owns it with the local id v div P, as in the Graph500 reference code.
func checkVertex(t *testing.T, l partition.Cyclic, v graph.Global) {
	t.Helper()
	owner, local, p := l.Owner(v), l.Local(v), graph.Global(l.Ranks())
	expect.Must(t, owner == int(v%p) && local == graph.Local(v/p) && int64(local) < int64(l.Count(owner)),
		"vertex %d: local id %d of %d on rank %d, want %d on %d", v, local, l.Count(owner), owner, v/p, v%p)
	rank, split := l.Split(v)
	expect.Must(t, rank == owner && split == local && l.Global(owner, local) == v,
		"vertex %d: split into rank %d and local id %d, which is %d", v, rank, split, l.Global(owner, local))
}

// FuzzCyclic checks one vertex, and the counts of all ranks, of layouts as large as the largest graphs.
func FuzzCyclic(f *testing.F) {
	f.Add(int64(1), 1, int64(0))
	f.Add(int64(5), 7, int64(4))
	f.Add(int64(1)<<graph.MaxScale, 100000, int64(1)<<graph.MaxScale-1)
	f.Add(int64(graph.MaxLocals), 1, int64(graph.MaxLocals)-1)
	f.Add(3*int64(graph.MaxLocals), 3, 3*int64(graph.MaxLocals)-1)
	f.Add(int64(1)<<graph.MaxScale, 1<<16, int64(1)<<graph.MaxScale-1)
	f.Fuzz(func(t *testing.T, vertices int64, p int, vertex int64) {
		n, v := graph.Global(vertices), graph.Global(vertex)
		expect.SkipIf(t, n < 1 || n > 1<<graph.MaxScale || p < 1 || p > 100000 || v < 0 || v >= n, "not a layout")
		expect.SkipIf(t, (n-1)/graph.Global(p) >= graph.MaxLocals, "more vertices than one rank can own")
		l := partition.NewCyclic(n, p)
		checkVertex(t, l, v)
		var sum graph.Global
		least, most := l.Count(0), l.Count(0)
		for rank := range p {
			count := l.Count(rank)
			sum += graph.Global(count)
			least, most = min(least, count), max(most, count)
		}
		expect.That(t, sum == n && least >= 0 && most <= least+1,
			"counts from %d to %d with sum %d, want %d in even shares", least, most, sum, n)
	})
}
