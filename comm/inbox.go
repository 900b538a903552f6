package comm

// inbox is the receive buffer of one rank's AllToAll. It is kept from call to call: fresh memory costs more than
// the copy into it.
type inbox struct {
	words []uint64 // in 8-byte words, which aligns it
	parts [][]byte
}

// take returns one part for each of the sizes, in bytes, each at an 8-byte boundary. The parts of the last call
// are overwritten.
func (b *inbox) take(sizes []int64) [][]byte {
	need := 0
	for _, s := range sizes {
		need += wordsFor(s)
	}
	if need > len(b.words) {
		b.release() // lets the collector have the old memory before there is new
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

// wordsFor is the number of 8-byte words that hold n bytes.
func wordsFor(n int64) int { return int((n + 7) / 8) }
