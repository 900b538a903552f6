package comm

import (
	"strings"
	"testing"

	"g500/internal/expect"
)

func TestTextsAndSharers(t *testing.T) {
	cards := []string{"node a, card 1", "", "node a, card 1", "node b, card 1", "", "node a, card 1"}
	want := [][]int{{0, 2, 5}, {1, 4}, {0, 2, 5}, {3}, {1, 4}, {0, 2, 5}}
	err := Loopback(len(cards), func(tr Transport) error {
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
	})
	if err != nil {
		t.Error(err)
	}
}
