package partition_test

import (
	"fmt"
	"slices"
	"testing"

	"g500/graph"
	"g500/partition"
)

// Who owns what, in full: for each rank its vertices in the order of their places.
func TestOwnedVertices(t *testing.T) {
	for _, c := range []struct {
		name string
		n    graph.Global
		p    int
		want [][]graph.Global
	}{
		{"no vertices", 0, 2, [][]graph.Global{{}, {}}},
		{"one rank", 3, 1, [][]graph.Global{{0, 1, 2}}},
		{"one vertex", 1, 3, [][]graph.Global{{0}, {}, {}}},
		{"fewer vertices than ranks", 3, 4, [][]graph.Global{{0}, {1}, {2}, {}}},
		{"as many as ranks", 3, 3, [][]graph.Global{{0}, {1}, {2}}},
		{"one more than ranks", 4, 3, [][]graph.Global{{0, 3}, {1}, {2}}},
		{"even shares", 6, 3, [][]graph.Global{{0, 3}, {1, 4}, {2, 5}}},
		{"one short of even", 8, 3, [][]graph.Global{{0, 3, 6}, {1, 4, 7}, {2, 5}}},
	} {
		if got := ownedBy(partition.NewCyclic(c.n, c.p)); !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func ownedBy(l partition.Layout) [][]graph.Global {
	owned := make([][]graph.Global, l.Ranks())
	for rank := range owned {
		for place := range l.Count(rank) {
			owned[rank] = append(owned[rank], l.Global(rank, graph.Local(place)))
		}
	}
	return owned
}

// The invariants of Layout, for every vertex of small layouts, whatever the number of ranks.
func TestInvariants(t *testing.T) {
	for _, p := range []int{1, 2, 3, 4, 7, 64, 100} {
		for _, n := range []graph.Global{0, 1, 2, 3, 6, 7, 8, 63, 64, 65, 1000, 1024} {
			t.Run(fmt.Sprintf("%d vertices on %d ranks", n, p), func(t *testing.T) {
				l := partition.NewCyclic(n, p)
				if l.Vertices() != n || l.Ranks() != p {
					t.Fatalf("%d vertices, %d ranks", l.Vertices(), l.Ranks())
				}
				checkEveryVertex(t, l)
				checkCounts(t, l)
			})
		}
	}
}

// checkEveryVertex walks up the labels: since Local is monotone and misses no place, the next vertex of a rank
// has its next place.
func checkEveryVertex(t *testing.T, l partition.Layout) {
	t.Helper()
	next := make([]int, l.Ranks())
	for v := range l.Vertices() {
		owner, place := l.Owner(v), l.Local(v)
		if owner < 0 || owner >= l.Ranks() {
			t.Fatalf("vertex %d: owner %d", v, owner)
		}
		if int(place) != next[owner] {
			t.Fatalf("vertex %d: place %d on rank %d, want %d", v, place, owner, next[owner])
		}
		next[owner]++
		if back := l.Global(owner, place); back != v {
			t.Fatalf("vertex %d: place %d of rank %d is vertex %d", v, place, owner, back)
		}
	}
	for rank, places := range next {
		if l.Count(rank) != places {
			t.Errorf("rank %d counts %d vertices, owns %d", rank, l.Count(rank), places)
		}
	}
}

// checkCounts holds without a walk over the vertices: the counts add up, and no rank has two more than another.
func checkCounts(t *testing.T, l partition.Layout) {
	t.Helper()
	var sum graph.Global
	least, most := l.Count(0), l.Count(0)
	for rank := range l.Ranks() {
		count := l.Count(rank)
		sum += graph.Global(count)
		least, most = min(least, count), max(most, count)
	}
	if sum != l.Vertices() || least < 0 || most > least+1 {
		t.Errorf("counts from %d to %d with sum %d, want %d in even shares", least, most, sum, l.Vertices())
	}
}

// Cyclic is the distribution of the Graph500 reference code, which deals out labels one by one.
func TestCyclicIsOfficial(t *testing.T) {
	l := partition.NewCyclic(1<<20, 12)
	for _, v := range []graph.Global{0, 11, 12, 1000, 1<<20 - 1} {
		if l.Owner(v) != int(v%12) || l.Local(v) != graph.Local(v/12) {
			t.Errorf("vertex %d: place %d of rank %d, want %d of %d", v, l.Local(v), l.Owner(v), v/12, v%12)
		}
	}
}

// FuzzCyclic tries one vertex v and one place of layouts as large as the largest graphs.
func FuzzCyclic(f *testing.F) {
	f.Add(int64(1), 1, int64(0))
	f.Add(int64(5), 7, int64(4))
	f.Add(int64(1)<<graph.MaxScale, 100000, int64(1)<<graph.MaxScale-1)
	f.Add(int64(graph.MaxLocals), 1, int64(graph.MaxLocals)-1)
	f.Fuzz(func(t *testing.T, vertices int64, p int, vertex int64) {
		n, v := graph.Global(vertices), graph.Global(vertex)
		if n < 1 || n > 1<<graph.MaxScale || p < 1 || p > 100000 || v < 0 || v >= n {
			t.Skip("no vertex of any layout")
		}
		if (n-1)/graph.Global(p) >= graph.MaxLocals {
			t.Skip("more vertices than one rank can own")
		}
		l := partition.NewCyclic(n, p)
		owner, place := l.Owner(v), l.Local(v)
		if owner < 0 || owner >= p {
			t.Fatalf("vertex %d of %d on %d ranks: owner %d", v, n, p, owner)
		}
		if int64(place) >= int64(l.Count(owner)) {
			t.Errorf("vertex %d of %d on %d ranks: place %d of %d", v, n, p, place, l.Count(owner))
		}
		if back := l.Global(owner, place); back != v {
			t.Errorf("vertex %d of %d on %d ranks: place %d of rank %d is vertex %d", v, n, p, place, owner, back)
		}
		checkCounts(t, l)
	})
}
