// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"strings"
	"testing"

	"g500/internal/expect"
)

func TestTextsAndSharers(t *testing.T) {
	cards := []string{"node a, card 1", "", "node a, card 1", "node b, card 1", "", "node a, card 1"}
	want := [][]int{{0, 2, 5}, {1, 4}, {0, 2, 5}, {3}, {1, 4}, {0, 2, 5}}
	expect.NoError(t, Loopback(len(cards), func(tr Transport) error {
		texts, err := AllGatherTexts(tr, strings.Repeat(cards[tr.Rank()], 2))
		if err != nil {
			return err
		}
		for r, text := range texts {
			expect.Equal(t, text, cards[r]+cards[r], "rank", tr.Rank(), "from rank", r)
		}
		got, err := Sharers(tr, cards[tr.Rank()])
		expect.Equal(t, got, want[tr.Rank()], "rank", tr.Rank())
		return err
	}))
}

// Parts do not overlap, and append to a part does not overwrite the next one.
func TestInboxParts(t *testing.T) {
	var b inbox
	sizes := []int64{3, 0, 8, 17}
	parts := b.take(sizes)
	for r, p := range parts {
		for i := range p {
			p[i] = byte(r + 1)
		}
		_ = append(p, 0xEE)
	}
	for r, p := range parts {
		expect.Equal(t, len(p), int(sizes[r]), "part", r)
		for i, v := range p {
			expect.Equal(t, v, byte(r+1), "byte", i, "of part", r)
		}
	}
}

// The memory is reused until it is released.
func TestInboxMemory(t *testing.T) {
	rank := &loopback{}
	large := []int64{8 << 20}
	rank.inbox.take(large)
	allocations := testing.AllocsPerRun(10, func() {
		rank.inbox.take([]int64{8})
		rank.inbox.take(large)
	})
	expect.Equal(t, allocations, 0)
	Release(rank)
	if rank.inbox.words != nil || rank.inbox.parts != nil {
		t.Error("Release does not free the memory")
	}
	expect.Equal(t, len(rank.inbox.take(large)[0]), 8<<20)
}
