// SPDX-License-Identifier: Apache-2.0

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

// checkRepeats compares the repeats of a graph, with each of them kept or dropped, with a slow count. If the input has
// each edge in both directions, the second one is no duplicate in an undirected graph that drops duplicates.
func checkRepeats(t *testing.T, spec string) (undirected Repeats) {
	t.Helper()
	for _, direction := range []string{"", ",symmetric=no"} {
		kept := made(t, spec+direction+",loops=keep,duplicates=keep")
		want, twice := slowRepeats(kept)
		if kept.Repeats != want {
			t.Errorf("%s%s: %+v kept, want %+v", spec, direction, kept.Repeats, want)
		}
		if twice && direction == "" {
			want.Duplicates = 0
		}
		for _, keep := range []string{"", ",loops=keep"} {
			if got := made(t, spec+direction+keep).Repeats; got != want {
				t.Errorf("%s%s%s: %+v, want %+v", spec, direction, keep, got, want)
			}
		}
	}
	return made(t, spec).Repeats
}

// slowRepeats counts the repeats of a graph, and reports whether it has two copies of each edge that is no self-loop.
func slowRepeats(g *Graph) (r Repeats, twice bool) {
	copies := map[arc]int64{}
	_ = g.eachEdge(func(u, v int, _ int64) error {
		copies[arc{u, v}]++
		return nil
	})
	twice = true
	for a, n := range copies {
		if a.from == a.to {
			r.Loops += n
			continue
		}
		r.Duplicates += n - 1
		twice = twice && n == 2
	}
	return r, twice
}
