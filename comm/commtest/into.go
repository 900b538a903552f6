package commtest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"g500/comm"
)

// unused fills room that no message may touch.
const unused = 0xEE

// swapInto sends messages whose sizes size gives to rooms of which some are larger, and checks what comes.
func swapInto(t comm.Transport, round int, size func(from, to int) int) error {
	send, into := make([][]byte, t.Size()), make([][]byte, t.Size())
	for r := range send {
		send[r] = make([]byte, size(t.Rank(), r))
		message(send[r], t.Rank(), r, round)
		spare := (r + round) % 3 * 5
		into[r] = bytes.Repeat([]byte{unused}, size(r, t.Rank())+spare)
	}
	recv, err := t.AllToAllInto(send, into)
	if err != nil {
		return err
	}
	for _, s := range send {
		clear(s) // send may be reused at once
	}
	if len(recv) != t.Size() {
		return fmt.Errorf("AllToAllInto gives %d messages", len(recv))
	}
	for r, got := range recv {
		want := make([]byte, size(r, t.Rank()))
		message(want, r, t.Rank(), round)
		if !bytes.Equal(got, want) {
			return fmt.Errorf("round %d: the %d bytes from rank %d are not the %d it sent", round, len(got), r, len(want))
		}
		if len(got) > 0 && unsafe.SliceData(got) != unsafe.SliceData(into[r]) {
			return fmt.Errorf("round %d: the message from rank %d is not at the front of its room", round, r)
		}
		if slices.ContainsFunc(into[r][len(got):], func(b byte) bool { return b != unused }) {
			return fmt.Errorf("round %d: the room behind the message from rank %d is used", round, r)
		}
	}
	return nil
}

// allToAllIntoSizes: every pattern of empty and uneven messages, to oneself as to others.
func allToAllIntoSizes(t comm.Transport, n int) error {
	for round, size := range patterns(n) {
		if err := swapInto(t, round, size); err != nil {
			return err
		}
	}
	return nil
}

// allToAllIntoLarge: messages of megabytes, beside small ones.
func allToAllIntoLarge(t comm.Transport, n int) error { return swapInto(t, 0, oneLarge(n)) }

// allToAllIntoTooLong: a message without room is an error on the rank that gets it, and on no other.
func allToAllIntoTooLong(t comm.Transport, n int) error {
	for from := range n {
		to, length := n-1-from, 300+from
		send, into := make([][]byte, n), make([][]byte, n)
		for r := range send {
			send[r], into[r] = make([]byte, 300+t.Rank()), make([]byte, 300+r)
		}
		if t.Rank() == to {
			into[from] = into[from][:from] // none at all for the first
		}
		_, err := t.AllToAllInto(send, into)
		if t.Rank() != to {
			if err != nil {
				return fmt.Errorf("beside a message that is too long: %w", err)
			}
			continue
		}
		want := fmt.Sprintf("rank %d sent %d bytes to rank %d, which has room for %d", from, length, to, from)
		if err == nil || !strings.Contains(err.Error(), want) {
			return fmt.Errorf("a message that is too long gives %v, want %q", err, want)
		}
	}
	return swapInto(t, 0, func(from, to int) int { return 10*from + to })
}
