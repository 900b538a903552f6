package csr

import "math/bits"

// sorter sorts the ends of blocks, with the memory of one worker.
type sorter[E entry] struct {
	buffer buffer
	next   []uint32
}

// digitBits is the largest number of bits of a digit, so that each value's next place is in the cache.
const digitBits = 11

// sort sorts the ends of a block by row and by the bits of the mask in their entries, and returns the entries; ends
// that are equal in both keep their order. It is a radix sort: by each digit of the entries, then by row. degrees are
// the numbers of ends of the rows. The result may be in the block's memory.
func (s *sorter[E]) sort(rows []uint16, entries []E, mask E, degrees []uint32) []E {
	n := len(entries)
	otherRows, other := endsIn[E](&s.buffer, n, n+n/8)
	lo, hi := differing(entries, mask)
	digits := (hi - lo + digitBits - 1) / digitBits
	for digit := range digits {
		shift, end := lo+(hi-lo)*digit/digits, lo+(hi-lo)*(digit+1)/digits
		byDigit(ends[E]{nil, rows, entries}, ends[E]{nil, otherRows, other}, shift, end-shift)
		rows, otherRows = otherRows, rows
		entries, other = other, entries
	}
	s.byRow(rows, entries, other, degrees)
	return other
}

// differing returns the range [lo, hi) of bits of the mask that are not the same in all entries.
func differing[E entry](entries []E, mask E) (lo, hi int) {
	if len(entries) == 0 {
		return 0, 0
	}
	first, all := entries[0], E(0)
	for _, e := range entries {
		all |= e ^ first
	}
	if all &= mask; all == 0 {
		return 0, 0
	}
	return bits.TrailingZeros64(uint64(all)), bits.Len64(uint64(all))
}

// byDigit sorts ends by some bits of their entries.
func byDigit[E entry](from, to ends[E], shift, width int) {
	var next [1 << digitBits]uint32
	mask := E(1)<<width - 1
	const limit = 1<<digitBits - 1
	shift &= 63
	for _, e := range from.entries {
		next[e>>shift&mask&limit]++
	}
	sum := uint32(0)
	for d, n := range next[:1<<width] {
		next[d] = sum
		sum += n
	}
	old, rows, entries := from.rows[:len(from.entries)], to.rows, to.entries[:len(to.rows)]
	for i, e := range from.entries {
		d := e >> shift & mask & limit
		at := next[d]
		next[d] = at + 1
		rows[at], entries[at] = old[i], e
	}
}

// byRow sorts entries by row.
func (s *sorter[E]) byRow(rows []uint16, from, to []E, degrees []uint32) {
	if len(s.next) < len(degrees) {
		s.next = make([]uint32, len(degrees))
	}
	next, sum := s.next[:len(degrees)], uint32(0)
	for row, n := range degrees {
		next[row] = sum
		sum += n
	}
	rows = rows[:len(from)]
	for i, e := range from {
		row := rows[i]
		at := next[row]
		next[row] = at + 1
		to[at] = e
	}
}
