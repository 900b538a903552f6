package bench

import (
	"strings"

	"g500/comm"
)

// Tell has each rank tell all others a text, and returns the texts in the order of ranks. It is collective.
func Tell(t comm.Transport, text string) ([]string, error) {
	send := make([][]byte, t.Size())
	for r := range send {
		send[r] = []byte(text)
	}
	got, err := t.AllToAll(send)
	texts := make([]string, len(got))
	for r, told := range got {
		texts[r] = string(told)
	}
	return texts, err
}

// tellCards gives the card of each rank: none where there is one rank, or no cards.
func tellCards(t comm.Transport, card string) ([]string, error) {
	if t.Size() == 1 {
		return nil, nil
	}
	cards, err := Tell(t, card)
	if err != nil || strings.Join(cards, "") == "" {
		return nil, err
	}
	return cards, nil
}

// Sharers are the ranks, in order, that use the same thing as this one, such as a GPU: those that give it the same
// identity. It is collective.
func Sharers(t comm.Transport, identity string) ([]int, error) {
	all, err := Tell(t, identity)
	var ranks []int
	for r, other := range all {
		if other == identity {
			ranks = append(ranks, r)
		}
	}
	return ranks, err
}
