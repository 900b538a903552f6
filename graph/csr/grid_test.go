package csr

import (
	"testing"

	"g500/graph"
	"g500/partition"
)

// The bins of all dealers take at most dealerShare bytes per end, unless one worker's bins take more.
func TestDealers(t *testing.T) {
	for _, c := range []struct {
		scale, ranks, most, least int
	}{
		{10, 1, 64, 64}, {24, 1, 64, 64}, {30, 8, 64, 64}, {36, 128, 64, 64}, {39, 1024, 63, 2}, {42, 8192, 8, 1},
	} {
		vertices := int64(1) << c.scale
		g := newGrid(partition.NewCyclic(graph.Global(vertices), c.ranks), 32*vertices)
		got := g.dealers(64)
		if got > c.most || got < c.least {
			t.Errorf("scale %d on %d ranks: %d dealers, want %d to %d", c.scale, c.ranks, got, c.least, c.most)
		}
		if bytes := int64(got) * int64(g.blocks()) * dealerBytes; got > 1 && bytes > dealerShare*g.ends {
			t.Errorf("scale %d on %d ranks: %d bytes of bins for %d ends", c.scale, c.ranks, bytes, g.ends)
		}
	}
}
