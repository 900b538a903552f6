// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"unsafe"

	"g500/internal/lists"
)

// Word is a type of values that Exchange can send: of fixed size, without pointers, at most 8-byte aligned.
type Word interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int32 | ~int64 | ~float32
}

// Exchange is AllToAll for typed slices. The result belongs to the transport until its next AllToAll.
func Exchange[T Word](t Transport, send [][]T) ([][]T, error) {
	raw := make([][]byte, len(send))
	for r, s := range send {
		raw[r] = bytesOf(s)
	}
	got, err := t.AllToAll(raw)
	if err != nil {
		return nil, err
	}
	recv := make([][]T, len(got))
	for r, b := range got {
		if len(b)%size[T]() != 0 {
			return nil, fmt.Errorf("comm: rank %d sent %d bytes, not a multiple of %d", r, len(b), size[T]())
		}
		recv[r] = wordsOf[T](b)
	}
	return recv, nil
}

// ExchangeInto is AllToAllInto for typed slices.
func ExchangeInto[T Word](t Transport, send, into [][]T) error {
	from, to := make([][]byte, len(send)), make([][]byte, len(into))
	for r, s := range send {
		from[r] = bytesOf(s)
	}
	for r, s := range into {
		to[r] = bytesOf(s)
	}
	return t.AllToAllInto(from, to)
}

// SwapWords sends words[r] to rank r, and returns the word from each rank; it may also be several words per rank. It is
// collective, and also a barrier.
func SwapWords(t Transport, words []int64) ([]int64, error) {
	got, each := make([]int64, len(words)), len(words)/t.Size()
	send, into := make([][]int64, t.Size()), make([][]int64, t.Size())
	for r := range send {
		send[r], into[r] = words[r*each:(r+1)*each], got[r*each:(r+1)*each]
	}
	return got, ExchangeInto(t, send, into)
}

func size[T Word]() int { return int(unsafe.Sizeof(*new(T))) }

func bytesOf[T Word](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*size[T]())
}

func wordsOf[T Word](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/size[T]())
}

// AllGatherBytes returns all ranks' messages of any lengths, which belong to the transport, as in AllToAll. Collective.
func AllGatherBytes(t Transport, message []byte) ([][]byte, error) {
	return t.AllToAll(slices.Repeat([][]byte{message}, t.Size()))
}

// Sharers returns the ranks, in order, with the same identity as this rank, such as a GPU's. It is collective.
func Sharers(t Transport, identity string) ([]int, error) {
	all, err := Gathered(t, identity)
	return lists.Indices(all, func(other string) bool { return other == all[t.Rank()] }), err
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

// OfFirst calls a function on rank 0 and returns its result, which must have a JSON form, on all ranks. Collective.
func OfFirst[T any](t Transport, of func() (T, error)) (value T, err error) {
	if t.Rank() == 0 {
		value, err = of()
	}
	if err := Agree(t, err); err != nil {
		return value, err
	}
	all, err := Gathered(t, value)
	if err == nil {
		value = all[0]
	}
	return value, err
}
