// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"g500/graph"
)

// TestGhostList compares with sorting: the list has the distinct other ends in rising order, pairs have indices in the
// list, and find agrees with a binary search of the list.
func TestGhostList(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct {
		name         string
		count, pairs int
		width        int // other ends are drawn from the last width of the count
	}{
		{"one pair", 1, 1, 1},
		{"dense", 200, 5000, 200},
		{"sparse", 100_000, 50, 100_000},
		{"all in one bucket", 100_000, 300, 70},
		{"even", 3000, 1500, 3000},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, want []graph.Local
			var chunks [][]pair
			for i := range c.pairs {
				other := graph.Local(c.count - 1 - rng.IntN(c.width))
				before = append(before, other)
				if i%7 == 0 {
					chunks = append(chunks, nil)
				}
				last := len(chunks) - 1
				chunks[last] = append(chunks[last], pair{graph.Local(i), other})
			}
			want = slices.Compact(slices.Sorted(slices.Values(before)))
			r := newGhostList(c.count, chunks)
			if !slices.Equal(r.locals, want) {
				t.Fatalf("got the list %v, want %v", r.locals, want)
			}
			for i, p := range slices.Concat(chunks...) {
				if int(p.own) != i || r.locals[p.other] != before[i] {
					t.Errorf("pair %d became %v, want an index of %d", i, p, before[i])
				}
			}
			for l := range graph.Local(c.count) {
				wantAt, wantFound := slices.BinarySearch(want, l)
				if at, found := r.find(l); found != wantFound || (found && int(at) != wantAt) {
					t.Errorf("find(%d) = %d, %v; want %d, %v", l, at, found, wantAt, wantFound)
				}
			}
		})
	}
	none := newGhostList(10, nil)
	if at, found := none.find(3); found {
		t.Errorf("an empty list has vertex 3 at %d", at)
	}
}
