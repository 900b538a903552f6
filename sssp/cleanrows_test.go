package sssp

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Rows of any length keep the lightest edge to each neighbour, by weight, then neighbour; the oracle is a map.
func TestRowCleaner(t *testing.T) {
	var cleaner rowCleaner
	r := rand.New(rand.NewPCG(3, 4))
	for number, n := range []int{0, 1, 2, 100, 3000, 50_000, 17} {
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
		row = row[:cleaner.clean(row, uint32(number)+1)]
		if !slices.IsSorted(row) {
			t.Errorf("a row of %d edges is not sorted", n)
		}
		if len(row) != len(lightest) {
			t.Errorf("of %d edges %d are left, want %d", n, len(row), len(lightest))
		}
		for _, e := range row {
			if e.weight() != lightest[e.to()] {
				t.Errorf("of %d edges the one to %d has weight %g, want %g", n, e.to(), e.weight(), lightest[e.to()])
			}
		}
	}
}

// Searches start in all parts of a table, of any size up to the longest rows.
func TestStartsAreSpread(t *testing.T) {
	for slots := 2; slots <= 1<<32; slots *= 2 {
		var parts [2]int
		for neighbour := range uint32(1 << 10) {
			start := startOf(neighbour, slots)
			if start < 0 || start >= slots {
				t.Fatalf("slot %d of %d", start, slots)
			}
			parts[start/(slots/2)]++
		}
		if min(parts[0], parts[1]) < 1<<8 {
			t.Errorf("of %d slots the halves have %d starts", slots, parts)
		}
	}
}
