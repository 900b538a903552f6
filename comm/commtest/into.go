package commtest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"g500/comm"
)

// unused fills receive buffers.
const unused = 0xEE

// swapInto checks an AllToAllInto. Some receive buffers are larger than their messages.
func swapInto(t comm.Transport, round int, length lengths) error {
	into := make([][]byte, t.Size())
	for r := range into {
		spare := (r + round) % 3 * 5
		into[r] = bytes.Repeat([]byte{unused}, length(r, t.Rank())+spare)
	}
	recv, err := roundTrip(t, round, length, length, func(send [][]byte) ([][]byte, error) {
		return t.AllToAllInto(send, into)
	})
	if err != nil {
		return err
	}
	for r, got := range recv {
		if len(got) > 0 && unsafe.SliceData(got) != unsafe.SliceData(into[r]) {
			return fmt.Errorf("round %d: the message from rank %d is not at the start of its buffer", round, r)
		}
		if slices.ContainsFunc(into[r][len(got):], func(b byte) bool { return b != unused }) {
			return fmt.Errorf("round %d: the buffer is overwritten after the message from rank %d", round, r)
		}
	}
	return nil
}

// allToAllIntoTooLong: a message that is longer than its buffer is an error on the receiving rank, and on no other
// rank.
func allToAllIntoTooLong(t comm.Transport, n int) error {
	for from := range n {
		to, length := n-1-from, 300+from
		send, into := make([][]byte, n), make([][]byte, n)
		for r := range send {
			send[r], into[r] = make([]byte, 300+t.Rank()), make([]byte, 300+r)
		}
		if t.Rank() == to {
			into[from] = into[from][:from] // an empty buffer for rank 0's message
		}
		_, err := t.AllToAllInto(send, into)
		want := fmt.Sprintf("rank %d sent %d bytes to rank %d, whose buffer has %d", from, length, to, from)
		switch {
		case t.Rank() != to && err != nil:
			return fmt.Errorf("a message to another rank is too long: %w", err)
		case t.Rank() == to && (err == nil || !strings.Contains(err.Error(), want)):
			return fmt.Errorf("a message that is too long gives %v, want %q", err, want)
		}
	}
	return swapInto(t, 0, func(from, to int) int { return 10*from + to })
}
