package bench

import (
	"strings"

	"g500/comm"
)

// gatherCards returns the card of each rank, nil on one rank or if no rank has a card. It is collective.
func gatherCards(t comm.Transport, card string) ([]string, error) {
	if t.Size() == 1 {
		return nil, nil
	}
	cards, err := comm.AllGatherTexts(t, card)
	if err != nil || strings.Join(cards, "") == "" {
		return nil, err
	}
	return cards, nil
}
