package sssp

import "math/bits"

// rowCleaner has the hash table of one worker: numbers of rows and neighbours.
type rowCleaner struct{ seen []uint64 }

// clean keeps the lightest edge to each neighbour in a row, which is sorted by weight, and returns the number of these
// edges. number is positive and different for each row.
func (c *rowCleaner) clean(row []edge, number uint32) int {
	const short = 1 << 14
	slots := 1 << bits.Len(uint(2*len(row)))
	if len(row) < short {
		slots *= 2 // so that fewer neighbours find their slots taken by others
	}
	if len(c.seen) < slots {
		c.seen = make([]uint64, slots)
	}
	seen, n := c.seen[:slots], 0
	for _, e := range row {
		row[n] = e
		if first(seen, uint64(number)<<32|uint64(e.to())) {
			n++
		}
	}
	return n
}

// first reports whether a row has a neighbour for the first time, and inserts the entry with both numbers into the hash
// table. Slots with entries of earlier rows count as empty.
func first(seen []uint64, entry uint64) bool {
	for at := startOf(uint32(entry), len(seen)); ; at++ {
		there := &seen[at&(len(seen)-1)]
		switch {
		case *there == entry:
			return false
		case (*there^entry)>>32 != 0:
			*there = entry
			return true
		}
	}
}

// startOf returns the slot of a table of 2^k slots, at least two, where the search for a neighbour starts: the highest
// bits of a product (Knuth, The Art of Computer Programming 3, 6.4).
func startOf(neighbour uint32, slots int) int {
	const spread = 0x9E3779B1 // 2^32 over the golden ratio
	return int(neighbour * spread >> max(0, 33-bits.Len(uint(slots))))
}
