// SPDX-License-Identifier: Apache-2.0

package comm

import "fmt"

// inbox is the receive buffer of one rank's AllToAll. It is reused because new memory costs more than the copy into it.
type inbox struct {
	words []uint64 // and not bytes, for alignment
	parts [][]byte
}

// take returns one part of each size, in bytes, at 8-byte boundaries. It reuses the memory of the last call's parts.
func (b *inbox) take(sizes []int64) [][]byte {
	need := 0
	for _, s := range sizes {
		need += wordsFor(s)
	}
	if need > len(b.words) {
		b.words, b.parts = nil, nil // can be freed before the new memory is allocated
		b.words = make([]uint64, need+need/8)
	}
	memory := bytesOf(b.words)
	b.parts = b.parts[:0]
	for _, s := range sizes {
		b.parts = append(b.parts, memory[:s:s])
		memory = memory[8*wordsFor(s):]
	}
	return b.parts
}

// wordsFor returns the number of 8-byte words for n bytes.
func wordsFor(n int64) int { return int((n + 7) / 8) }

// checkInto returns an error if there is not one message and one buffer per rank, or if the rank's message to itself
// does not fit.
func checkInto(send, into [][]byte, rank, ranks int) error {
	if len(send) != ranks || len(into) != ranks {
		return fmt.Errorf("comm: AllToAllInto with %d messages and %d buffers for %d ranks", len(send), len(into), ranks)
	}
	return fits(rank, rank, len(send[rank]), len(into[rank]))
}

// fits returns an error if a message of a sender does not have the length of its buffer on a rank, in bytes.
func fits(rank, sender, message, buffer int) error {
	if message == buffer {
		return nil
	}
	return fmt.Errorf("comm: rank %d sent %d bytes to rank %d, whose buffer has %d", sender, message, rank, buffer)
}
