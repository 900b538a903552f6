// SPDX-License-Identifier: Apache-2.0

package sssp

// rowCleaner has the bitmap of one worker: the neighbours of a row that were met, in a range of positions.
type rowCleaner struct {
	seen      []uint64 // all zero between calls
	positions int      // of all ranks' vertices
}

const (
	wordBits    = 64
	wordBytes   = wordBits / 8
	fullBitmaps = 64 // workers with a bit for each position; the bitmaps of more workers have as much memory in all
)

// bitmapBytes returns the size of the bitmaps of all workers of a rank, at most, given the number of all ranks'
// positions, and of the rank's tuple ends: they have at most one byte per end.
func bitmapBytes(positions, ends int64) int64 {
	return min(fullBitmaps*wordsOf(positions)*wordBytes, ends)
}

// wordsOf returns the number of words with a number of bits.
func wordsOf(bits int64) int64 { return (bits + wordBits - 1) / wordBits }

// newRowCleaners returns a rowCleaner for each of a rank's workers.
func newRowCleaners(workers int, positions, ends int64) []rowCleaner {
	share := bitmapBytes(positions, ends) / wordBytes / int64(workers)
	all := make([]rowCleaner, workers)
	for w := range all {
		all[w] = rowCleaner{make([]uint64, max(min(wordsOf(positions), share), 1)), int(positions)}
	}
	return all
}

// clean keeps the lightest edge to each neighbour in a row, which is sorted by weight, and returns the number of these
// edges.
func (c *rowCleaner) clean(row []edge) int {
	if len(row) < 2 {
		return len(row)
	}
	for from := 0; from < c.positions; from += len(c.seen) * wordBits {
		row = row[:c.cleanRange(row, position(from))]
	}
	return len(row)
}

// cleanRange is clean for the neighbours at the positions from the given one on that have a bit; it keeps all others.
// It has no branch that depends on the neighbours, if all have a bit.
func (c *rowCleaner) cleanRange(row []edge, from position) int {
	seen, n := c.seen, 0
	for _, e := range row {
		row[n] = e
		at := e.to() - from
		if word := int(at / wordBits); word < len(seen) {
			bit := at % wordBits
			n -= int(seen[word] >> bit & 1)
			seen[word] |= 1 << bit
		}
		n++
	}
	for _, e := range row[:n] {
		if word := int((e.to() - from) / wordBits); word < len(seen) {
			seen[word] = 0
		}
	}
	return n
}
