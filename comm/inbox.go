package comm

// inbox is the receive buffer of one rank's AllToAll. It is kept from call to call, since fresh memory costs
// more than the copy into it, and given back when it has long been far too large.
type inbox struct {
	words []uint64 // memory of 8-byte words, which aligns it
	parts [][]byte
	calls int // calls since the size was last looked at
	peak  int // words that the largest of these calls needed
}

// After patience calls that needed less than a quarter of it, an inbox shrinks to what they needed. A search
// has fewer exchanges than that; a whole job has many more.
const patience = 64

// take returns one part for each of the sizes, in bytes, each at an 8-byte boundary. The parts of the last call
// are overwritten.
func (b *inbox) take(sizes []int64) [][]byte {
	need := 0
	for _, s := range sizes {
		need += wordsFor(s)
	}
	b.fit(need)
	memory := bytesOf(b.words)
	b.parts = b.parts[:0]
	for _, s := range sizes {
		b.parts = append(b.parts, memory[:s:s])
		memory = memory[8*wordsFor(s):]
	}
	return b.parts
}

// fit makes room for need words.
func (b *inbox) fit(need int) {
	b.peak = max(b.peak, need)
	b.calls++
	tooLarge := b.calls >= patience && b.peak < len(b.words)/4
	if need > len(b.words) || tooLarge {
		b.words, b.parts = nil, nil // let go of the old memory before there is new
		b.words = make([]uint64, b.peak+b.peak/8)
	}
	if b.calls >= patience {
		b.calls, b.peak = 0, 0
	}
}

// wordsFor is the number of 8-byte words that hold n bytes.
func wordsFor(n int64) int { return int((n + 7) / 8) }
