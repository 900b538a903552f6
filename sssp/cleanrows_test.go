package sssp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/internal/expect"
)

// Rows of any length keep the lightest edge to each neighbour, by weight, then neighbour, with a bit for each position
// or for some; the oracle is a map.
func TestRowCleaner(t *testing.T) {
	const positions = 75_000
	for _, ends := range []int64{0, 1 << 10, 1 << 20} {
		t.Run(fmt.Sprint("ends=", ends), func(t *testing.T) { testRowCleaner(t, newRowCleaners(2, positions, ends)[1]) })
	}
}

// The bitmaps of any number of workers have the memory that is announced, and bits for all positions if it suffices.
func TestBitmapBytes(t *testing.T) {
	for _, positions := range []int64{1, 100, 1 << 20} {
		for _, ends := range []int64{1000, 1 << 20, 1 << 30} {
			for _, workers := range []int{1, 2, 64, 100} {
				all := newRowCleaners(workers, positions, ends)
				words := int64(len(all) * len(all[0].seen))
				if limit := bitmapBytes(positions, ends) / wordBytes; words > max(limit, int64(workers)) {
					t.Errorf("%d positions, %d ends, %d workers: %d words, the limit is %d", positions, ends, workers, words, limit)
				}
				if enough := ends >= positions*int64(workers); enough && workers <= fullBitmaps &&
					int64(len(all[0].seen)*wordBits) < positions {
					t.Errorf("%d positions, %d ends, %d workers: %d words each", positions, ends, workers, len(all[0].seen))
				}
			}
		}
	}
}

func testRowCleaner(t *testing.T, cleaner rowCleaner) {
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
		if !slices.IsSorted(row) {
			t.Errorf("a row of %d edges is not sorted", n)
		}
		if len(row) != len(lightest) {
			t.Errorf("of %d edges %d are left, want %d", n, len(row), len(lightest))
		}
		for _, e := range row {
			expect.Equal(t, e.weight(), lightest[e.to()], "of", n, "edges the one to", e.to())
		}
	}
}
