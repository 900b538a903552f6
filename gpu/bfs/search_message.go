package bfs

import (
	"encoding/binary"
	"fmt"

	"g500/internal/trace"
)

// searchMessage is a message at a rank barrier of a search: a header of six 64-bit words and then pairs for the
// receiver, queries or replies in place of pairs, or words of the bitmap (cuda/common/exchange_messages.cuh). Each word
// of the header has a counter in its low bits and the number of the barrier above.
type searchMessage []byte

// The layout of a message, as in search.h.
const (
	headerBytes  = 48
	pairsCounter = 2 // number of pairs
	wordsCounter = 3 // twice the number of words; plus one if they start the rank's part, else they are listed
	counterBits  = 48
)

// pairBytes is the size of a pair, wordBytes the size of a word of the bitmap.
const (
	pairBytes = 8
	wordBytes = 4
)

func (m searchMessage) word(counter int) uint64 { return binary.LittleEndian.Uint64(m[8*counter:]) }

// setPairs sets the number of pairs in the header.
func (m searchMessage) setPairs(n uint64) {
	barrier := m.word(pairsCounter) >> counterBits << counterBits
	binary.LittleEndian.PutUint64(m[8*pairsCounter:], barrier|n)
}

func (m searchMessage) count(counter int) uint64 { return m.word(counter) & (1<<counterBits - 1) }

// pairs returns the number of pairs.
func (m searchMessage) pairs() uint64 { return m.count(pairsCounter) }

// words returns the number of words of the bitmap, and whether they are the rank's whole part.
func (m searchMessage) words() (n uint64, whole bool) {
	twice := m.count(wordsCounter)
	return twice >> 1, twice&1 == 1
}

// bitmapBytes returns the size of these words.
func (m searchMessage) bitmapBytes() int {
	n, whole := m.words()
	if whole {
		return int(n) * wordBytes
	}
	return int(n) * listedBytes
}

// payload returns the payload of the data after the header. ofPairs is the payload of pairs.
func (m searchMessage) payload(ofPairs string) string {
	if m.bitmapBytes() > 0 {
		return trace.BitmapPayload
	}
	return ofPairs
}

// checkHeader returns an error if a message is shorter than its header.
func checkHeader(rank int, m []byte) error {
	if len(m) < headerBytes {
		return fmt.Errorf("gpu: rank %d sent %d bytes during a search, less than a message's header: "+
			"run the same version of g500 on all ranks", rank, len(m))
	}
	return nil
}
