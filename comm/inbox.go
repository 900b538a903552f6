// SPDX-License-Identifier: Apache-2.0

package comm

// inbox is the receive buffer of one rank's AllToAll. It is reused because new memory costs more than the copy into it.
type inbox struct {
	words []uint64 // and not bytes, for alignment
	parts [][]byte
}

// take returns one part of each size, in bytes, at 8-byte boundaries. It reuses the memory of the parts of the last
// call.
func (b *inbox) take(sizes []int64) [][]byte {
	need := 0
	for _, s := range sizes {
		need += wordsFor(s)
	}
	if need > len(b.words) {
		b.release() // so that the old memory can be freed before the new memory is allocated
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

func (b *inbox) release() { b.words, b.parts = nil, nil }

// wordsFor returns the number of 8-byte words for n bytes.
func wordsFor(n int64) int { return int((n + 7) / 8) }
