package bfs

import (
	"slices"
	"testing"
)

func TestMeanDegrees(t *testing.T) {
	for _, c := range []struct {
		name                    string
		vertices, edges, wanted int64
	}{
		{"none", 0, 0, 0},
		{"whole", 3, 12, 64},
		{"rounded down", 33, 34, 16}, // 16.48 sixteenths
		{"rounded up", 32, 33, 17},   // 16.5
		{"many", 1, 5_000_000, 80_000_000},
	} {
		if got := meanDegrees([]int64{c.vertices}, []int64{c.edges}); !slices.Equal(got, []uint32{uint32(c.wanted)}) {
			t.Errorf("%s: %d edges of %d vertices: %d sixteenths, want %d", c.name, c.edges, c.vertices, got, c.wanted)
		}
	}
}
