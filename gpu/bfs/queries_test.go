package bfs

import (
	"fmt"
	"slices"
	"testing"

	"g500/bfs"
	"g500/comm"
)

// Ranks are in query mode from the same sizes as on CPUs, but replicate twice as many vertices. The largest number of
// queries has the size of the words of all other bits.
func TestReplicatedHubs(t *testing.T) {
	for _, c := range []struct {
		nodes  []int
		stride int64
		mode   bool
	}{
		{[]int{0, 0, 0, 0}, 1 << 30, false},
		{[]int{0, 0, 1, 1}, 1 << 20, false},
		{[]int{0, 0, 1, 1}, 1 << 27, true},
		{[]int{0, 1, 2, 3, 4}, 1 << 26, true},
	} {
		err := comm.Loopback(len(c.nodes), func(t comm.Transport) error {
			t = comm.EmulateNodes(t, c.nodes)
			hubs, most := replicatedHubs(t, c.stride)
			if !c.mode {
				if hubs != c.stride {
					return fmt.Errorf("%d vertices are replicated", hubs)
				}
				return nil
			}
			others := slices.Max(c.nodes)
			if hubs != 2*int64(bfs.DefaultBounds().ReplicatedIDs(int(c.stride), others+1)) || hubs > c.stride/4 {
				return fmt.Errorf("%d vertices are replicated", hubs)
			}
			words := int64(others*len(c.nodes)) * (c.stride - hubs) / 8
			if bytes := 4*most + most/8; bytes > words || bytes < words-10 {
				return fmt.Errorf("%d queries and replies take %d bytes, words %d", most, bytes, words)
			}
			return nil
		})
		if err != nil {
			t.Errorf("nodes %v, parts of %d: %v", c.nodes, c.stride, err)
		}
	}
}

// Words arrive at their ranks in the order of the sending ranks.
func TestWordsFromRankToRank(t *testing.T) {
	const ranks = 5
	count := func(from, to int) int64 { return int64(7 * from * to % 4) }
	word := func(from, to int, i int64) uint64 { return uint64(from)<<40 | uint64(to)<<20 | uint64(i) }
	err := comm.Loopback(ranks, func(t comm.Transport) error {
		var counts, wantCounts []int64
		var words, want []uint64
		for r := range ranks {
			counts, wantCounts = append(counts, count(t.Rank(), r)), append(wantCounts, count(r, t.Rank()))
			for i := range count(t.Rank(), r) {
				words = append(words, word(t.Rank(), r, i))
			}
			for i := range count(r, t.Rank()) {
				want = append(want, word(r, t.Rank(), i))
			}
		}
		got, all, most, err := exchangeWords(t, counts, words)
		if err != nil {
			return err
		}
		if !slices.Equal(got, wantCounts) || !slices.Equal(all, want) || most != 3 {
			return fmt.Errorf("got %v: %x; the most is %d", got, all, most)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestMeanDegrees(t *testing.T) {
	for _, c := range []struct {
		name                    string
		vertices, edges, wanted int64
	}{
		{"no vertices", 0, 0, 0},
		{"whole number", 3, 12, 64},
		{"rounded down", 33, 34, 16}, // 16.48 sixteenths
		{"rounded up", 32, 33, 17},   // 16.5
		{"large", 1, 5_000_000, 80_000_000},
	} {
		if got := meanDegrees([]int64{c.vertices}, []int64{c.edges}); !slices.Equal(got, []uint32{uint32(c.wanted)}) {
			t.Errorf("%s: %d edges of %d vertices: %d sixteenths, want %d", c.name, c.edges, c.vertices, got, c.wanted)
		}
	}
}
