package formats

import "testing"

// Self-loops and duplicates of generated graphs are as maps count them in the graph that keeps both.
func TestRepeats(t *testing.T) {
	for _, spec := range []string{"kron:scale=7", "rmat:scale=7", "uniform:vertices=30,degree=9", "grid2d:4x5"} {
		if r := checkRepeats(t, spec); r.Loops+r.Duplicates == 0 && spec[0] == 'k' {
			t.Errorf("%s: no repeats", spec)
		}
	}
}

// checkRepeats compares the repeats of a graph, with each of them kept or dropped, with a slow count.
func checkRepeats(t *testing.T, spec string) (undirected Repeats) {
	t.Helper()
	for _, direction := range []string{"", ",symmetric=no"} {
		kept := made(t, spec+direction+",loops=keep,duplicates=keep")
		want := slowRepeats(kept)
		if kept.Repeats != want {
			t.Errorf("%s%s: %+v kept, want %+v", spec, direction, kept.Repeats, want)
		}
		mirrored := kept.Edges()-want.Loops == 2*made(t, spec+direction).Edges() && everyTwice(kept)
		for _, keep := range []string{"", ",loops=keep"} {
			got := made(t, spec+direction+keep).Repeats
			if got.Duplicates == 0 && mirrored {
				continue
			}
			if got != want {
				t.Errorf("%s%s%s: %+v, want %+v", spec, direction, keep, got, want)
			}
		}
	}
	return made(t, spec).Repeats
}

func slowRepeats(g *Graph) (r Repeats) {
	seen := map[arc]bool{}
	_ = g.eachEdge(func(u, v int, _ int64) error {
		switch {
		case u == v:
			r.Loops++
		case seen[arc{u, v}]:
			r.Duplicates++
		}
		seen[arc{u, v}] = true
		return nil
	})
	return r
}

// everyTwice reports whether a graph has two copies of each edge that is no self-loop.
func everyTwice(g *Graph) bool {
	copies := map[arc]int{}
	_ = g.eachEdge(func(u, v int, _ int64) error {
		copies[arc{u, v}]++
		return nil
	})
	for a, n := range copies {
		if a.from != a.to && n != 2 {
			return false
		}
	}
	return true
}
