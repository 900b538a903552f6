package sssp

import "math/bits"

// rowCleaner has the hash table of one worker: numbers of rows and neighbours.
type rowCleaner struct{ seen []uint64 }

// clean keeps the lightest edge to each neighbour in a row, which is sorted by weight, and returns the number of these
// edges. number is positive and different for each row.
func (c *rowCleaner) clean(row []edge, number uint32) int {
	slots := 1 << bits.Len(uint(2*len(row)))
	if len(c.seen) < slots {
		c.seen = make([]uint64, slots)
	}
	n := 0
	for _, e := range row {
		if c.first(e.to(), number, slots) {
			row[n] = e
			n++
		}
	}
	return n
}

// first reports whether a row has this neighbour for the first time, and inserts it into the hash table. The row's
// number is part of an entry; slots with entries of earlier rows count as empty.
func (c *rowCleaner) first(to position, number uint32, slots int) bool {
	const spread = 0x9E3779B1 // 2^32 over the golden ratio (Knuth, The Art of Computer Programming 3, 6.4)
	entry := uint64(number)<<32 | uint64(to)
	for at := int(uint32(to)*spread>>7) & (slots - 1); ; at = (at + 1) & (slots - 1) {
		switch there := c.seen[at]; {
		case there == entry:
			return false
		case there>>32 != uint64(number):
			c.seen[at] = entry
			return true
		}
	}
}
