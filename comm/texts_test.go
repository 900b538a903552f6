package comm

import (
	"slices"
	"strings"
	"testing"
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
			if text != cards[r]+cards[r] {
				t.Errorf("rank %d gets %q from rank %d", tr.Rank(), text, r)
			}
		}
		got, err := Sharers(tr, cards[tr.Rank()])
		if !slices.Equal(got, want[tr.Rank()]) {
			t.Errorf("rank %d shares with %v, want %v", tr.Rank(), got, want[tr.Rank()])
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
