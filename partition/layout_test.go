package partition_test

import (
	"fmt"
	"slices"
	"testing"

	"g500/graph"
	"g500/partition"
)

var layouts = map[string]func(n graph.Global, p int) partition.Layout{
	"cyclic": func(n graph.Global, p int) partition.Layout { return partition.NewCyclic(n, p) },
	"block":  func(n graph.Global, p int) partition.Layout { return partition.NewBlock(n, p) },
}

// Who owns what, in full: for each rank its vertices in the order of their places.
func TestOwnedVertices(t *testing.T) {
	type owned [][]graph.Global
	for _, c := range []struct {
		name          string
		n             graph.Global
		p             int
		cyclic, block owned
	}{
		{"no vertices", 0, 2, owned{{}, {}}, owned{{}, {}}},
		{"one rank", 3, 1, owned{{0, 1, 2}}, owned{{0, 1, 2}}},
		{"one vertex", 1, 3, owned{{0}, {}, {}}, owned{{0}, {}, {}}},
		{"fewer vertices than ranks", 3, 4, owned{{0}, {1}, {2}, {}}, owned{{0}, {1}, {2}, {}}},
		{"as many as ranks", 3, 3, owned{{0}, {1}, {2}}, owned{{0}, {1}, {2}}},
		{"one more than ranks", 4, 3, owned{{0, 3}, {1}, {2}}, owned{{0, 1}, {2}, {3}}},
		{"even shares", 6, 3, owned{{0, 3}, {1, 4}, {2, 5}}, owned{{0, 1}, {2, 3}, {4, 5}}},
		{"one short of even", 8, 3, owned{{0, 3, 6}, {1, 4, 7}, {2, 5}}, owned{{0, 1, 2}, {3, 4, 5}, {6, 7}}},
	} {
		for name, want := range map[string]owned{"cyclic": c.cyclic, "block": c.block} {
			if got := ownedBy(layouts[name](c.n, c.p)); !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s, %s: %v, want %v", name, c.name, got, want)
			}
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
	for name, layout := range layouts {
		for _, p := range []int{1, 2, 3, 4, 7, 64, 100} {
			for _, n := range []graph.Global{0, 1, 2, 3, 6, 7, 8, 63, 64, 65, 1000, 1024} {
				t.Run(fmt.Sprintf("%s/%d vertices on %d ranks", name, n, p), func(t *testing.T) {
					l := layout(n, p)
					if l.Vertices() != n || l.Ranks() != p {
						t.Fatalf("%d vertices, %d ranks", l.Vertices(), l.Ranks())
					}
					checkEveryVertex(t, l)
					checkCounts(t, l)
				})
			}
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

// Cyclic is the official program's distribution, whose labels are dealt out one by one.
func TestCyclicIsOfficial(t *testing.T) {
	l := partition.NewCyclic(1<<20, 12)
	for _, v := range []graph.Global{0, 11, 12, 1000, 1<<20 - 1} {
		if l.Owner(v) != int(v%12) || l.Local(v) != graph.Local(v/12) {
			t.Errorf("vertex %d: place %d of rank %d, want %d of %d", v, l.Local(v), l.Owner(v), v/12, v%12)
		}
	}
}

func FuzzCyclic(f *testing.F) { fuzzLayout(f, layouts["cyclic"]) }
func FuzzBlock(f *testing.F)  { fuzzLayout(f, layouts["block"]) }

// fuzzLayout tries one vertex v and one place of layouts as large as the largest graphs.
func fuzzLayout(f *testing.F, layout func(n graph.Global, p int) partition.Layout) {
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
		l := layout(n, p)
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
