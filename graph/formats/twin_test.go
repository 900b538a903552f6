package formats

import (
	"context"
	"maps"
	"slices"
	"testing"
)

// made is the graph of a spec, on some workers.
func made(t *testing.T, spec string) *Graph {
	t.Helper()
	s, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.Make(context.Background(), 3, 0)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// arc is an entry of a row.
type arc struct{ from, to int }

// arcsOf counts the entries of a graph, and checks that rows are sorted and offsets whole.
func arcsOf(t *testing.T, g *Graph) map[arc]int {
	t.Helper()
	all := map[arc]int{}
	if g.Offsets[0] != 0 || g.Offsets[g.Vertices()] != g.Entries() {
		t.Fatalf("offsets from %d to %d, %d entries", g.Offsets[0], g.Offsets[g.Vertices()], g.Entries())
	}
	for v := range g.Vertices() {
		if !slices.IsSorted(g.Row(v)) {
			t.Fatalf("row %d is not sorted: %v", v, g.Row(v))
		}
		for _, to := range g.Row(v) {
			all[arc{v, int(to)}]++
		}
	}
	return all
}

// undirected is the entries of an undirected graph with those edges: duplicates and self-loops are left out.
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
	if !maps.Equal(got, want) {
		t.Errorf("%s: %d entries, want %d", name, len(got), len(want))
		for a := range want {
			if got[a] != want[a] {
				t.Fatalf("%s: entry %v occurs %d times, want %d", name, a, got[a], want[a])
			}
		}
	}
}

// slowDistances are the distances from a root by repeated relaxation of all edges, -1 for what is not reached.
func slowDistances(g *Graph, root int) []int {
	distance := make([]int, g.Vertices())
	for v := range distance {
		distance[v] = -1
	}
	distance[root] = 0
	for changed := true; changed; {
		changed = false
		for v := range g.Vertices() {
			for _, to := range g.Row(v) {
				if d := distance[v] + 1; distance[v] >= 0 && (distance[to] < 0 || d < distance[to]) {
					distance[to], changed = d, true
				}
			}
		}
	}
	return distance
}
