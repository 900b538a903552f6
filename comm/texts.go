// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"cmp"
	"encoding/json"
)

// AllGatherBytes returns the messages of all ranks, of any lengths. They belong to the transport, as in AllToAll. It is
// collective.
func AllGatherBytes(t Transport, message []byte) ([][]byte, error) {
	send := make([][]byte, t.Size())
	for r := range send {
		send[r] = message
	}
	return t.AllToAll(send)
}

// AllGatherTexts returns the texts of all ranks. It is collective.
func AllGatherTexts(t Transport, text string) ([]string, error) {
	got, err := AllGatherBytes(t, []byte(text))
	texts := make([]string, len(got))
	for r, message := range got {
		texts[r] = string(message)
	}
	return texts, err
}

// Sharers returns the ranks, in order, with the same identity as this rank, such as the identity of a GPU. It is
// collective.
func Sharers(t Transport, identity string) ([]int, error) {
	all, err := AllGatherTexts(t, identity)
	var ranks []int
	for r, other := range all {
		if other == identity {
			ranks = append(ranks, r)
		}
	}
	return ranks, err
}

// Gathered returns the value of each rank. own must have a JSON form. It is collective.
func Gathered[T any](t Transport, own T) ([]T, error) {
	text, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	texts, err := AllGatherBytes(t, text)
	all := make([]T, len(texts))
	for rank, text := range texts {
		err = cmp.Or(err, json.Unmarshal(text, &all[rank]))
	}
	return all, err
}
