// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"fmt"
	"slices"

	"g500/comm"
)

// label is a defined type, as graph.Global is.
type label int64

// exchangeWords: Exchange on every kind of word.
func exchangeWords(t comm.Transport, _ int) error {
	for _, check := range []func(comm.Transport) error{
		exchange[uint8], exchange[uint16], exchange[uint32], exchange[uint64], exchange[int32], exchange[int64],
		exchange[float32], exchange[label],
	} {
		if err := check(t); err != nil {
			return err
		}
	}
	return nil
}

// swapWords: every rank gets the word that each rank has for it.
func swapWords(t comm.Transport, n int) error {
	words := make([]int64, n)
	for r := range words {
		words[r] = int64(t.Rank())<<32 - int64(r)
	}
	got, err := comm.SwapWords(t, words)
	for r, word := range got {
		if want := int64(r)<<32 - int64(t.Rank()); err == nil && word != want {
			err = fmt.Errorf("the word from rank %d is %d, want %d", r, word, want)
		}
	}
	return err
}

// exchange sends from+3*to words to each rank. They use the highest bits, and the sign if the type has one.
func exchange[T comm.Word](t comm.Transport) error {
	words := func(from, to int) []T {
		w := make([]T, from+3*to)
		for i := range w {
			w[i] = T(0) - T(1+from*64+to*8+i)
		}
		return w
	}
	send := make([][]T, t.Size())
	for r := range send {
		send[r] = words(t.Rank(), r)
	}
	recv, err := comm.Exchange(t, send)
	if err != nil {
		return err
	}
	for r, got := range recv {
		if want := words(r, t.Rank()); !slices.Equal(got, want) {
			return fmt.Errorf("%T from rank %d is %v, want %v", got, r, got, want)
		}
	}
	return nil
}
