package bfs

import (
	"encoding/binary"
	"fmt"

	"g500/internal/trace"
)

// searchMessage is what a rank sends another at a barrier of a search: a header of six words, and behind it pairs for
// that rank, queries or replies in their place, or words of the bitmap (cuda/common/exchange_messages.cuh). Each word
// of the header is a counter, below the number of the barrier.
type searchMessage []byte

// The parts of a message, which search.h has as well.
const (
	headerBytes  = 48
	pairsCounter = 2 // pairs
	wordsCounter = 3 // twice the words; plus one where they are the front of the rank's part, else they are listed
	counterBits  = 48
)

// pairBytes is the size of a pair, wordBytes the size of a word of the bitmap.
const (
	pairBytes = 8
	wordBytes = 4
)

func (m searchMessage) word(counter int) uint64 { return binary.LittleEndian.Uint64(m[8*counter:]) }

// setPairs writes a number of pairs into the header.
func (m searchMessage) setPairs(n uint64) {
	barrier := m.word(pairsCounter) >> counterBits << counterBits
	binary.LittleEndian.PutUint64(m[8*pairsCounter:], barrier|n)
}

func (m searchMessage) count(counter int) uint64 { return m.word(counter) & (1<<counterBits - 1) }

// pairs are those that the message has.
func (m searchMessage) pairs() uint64 { return m.count(pairsCounter) }

// words returns the number of words of the bitmap, and whether they are the whole part.
func (m searchMessage) words() (n uint64, whole bool) {
	form := m.count(wordsCounter)
	return form >> 1, form&1 == 1
}

// bitmapBytes is how long these words are.
func (m searchMessage) bitmapBytes() int {
	n, whole := m.words()
	if whole {
		return int(n) * wordBytes
	}
	return int(n) * listedBytes
}

// form returns the form of the words after the header. Pairs, or words in their place, have the form ofPairs.
func (m searchMessage) form(ofPairs string) string {
	if m.bitmapBytes() > 0 {
		return trace.BitmapPayload
	}
	return ofPairs
}

// checkHeader refuses bytes that are too short for a message.
func checkHeader(rank int, m []byte) error {
	if len(m) < headerBytes {
		return fmt.Errorf("gpu: rank %d sent %d bytes during a search, less than a message's header: "+
			"are the ranks' programs the same?", rank, len(m))
	}
	return nil
}
