// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"math/bits"
	"slices"

	"g500/internal/prefetch"
)

// sorter sorts the ends of blocks, with the memory of one worker.
type sorter[E entry] struct {
	topBits int // the radix sort orders entries by up to this many of their highest differing bits, sortTies by the rest
	spare   *buffer
	next    []uint32
}

// digitBits is the largest number of bits of a digit, so that each value's next place is in the cache.
const digitBits = 11

// spareEnds returns memory for n ends. It grows up to most ends.
func (s *sorter[E]) spareEnds(n, most int) ends[E] {
	return ends[E]{rows: rowsIn(s.spare, n, spareRoom(n, most)), entries: spareEntries[E](s.spare, n, most)}
}

// spareEntries returns memory for n entries in a worker's buffer, which grows up to most.
func spareEntries[E entry](b *buffer, n, most int) []E { return entriesIn[E](b, n, spareRoom(n, most)) }

func spareRoom(n, most int) int { return min(n+n/8, most) }

// sort sorts the ends of a block by row, then entry, and returns the entries, in the block's memory or in the other
// one. It is a radix sort: by each digit of the entries, unless they are sorted, then by row. degrees are the numbers
// of ends of the rows.
func (s *sorter[E]) sort(in, other ends[E], degrees []uint32) []E {
	if isSorted(in.rows, in.entries) {
		s.byRow(in.rows, in.entries, other.entries, degrees)
		return other.entries
	}
	lowest, hi := differing(in.rows, in.entries)
	lo := max(lowest, hi-s.topBits)
	digits := (hi - lo + digitBits - 1) / digitBits
	for digit := range digits {
		shift, end := lo+(hi-lo)*digit/digits, lo+(hi-lo)*(digit+1)/digits
		byDigit(in, other, shift, end-shift)
		in, other = other, in
	}
	s.byRow(in.rows, in.entries, other.entries, degrees)
	if lo > lowest {
		sortTies(other.entries, degrees, lo)
	}
	return other.entries
}

// sortTie sorts the first entries that are equal in all bits from the given one on, and returns their number.
func sortTie[E entry](row []E, bit int) int {
	n := 1
	for n < len(row) && (row[n]^row[0])>>bit == 0 {
		n++
	}
	slices.Sort(row[:n])
	return n
}

// sortTies sorts the entries of each row that are equal in all bits from the given one on.
func sortTies[E entry](entries []E, degrees []uint32, bit int) {
	for _, n := range degrees {
		row := entries[:n]
		for i := 1; i < len(row); i++ {
			if (row[i]^row[i-1])>>(bit&63) == 0 {
				i += sortTie(row[i-1:], bit) - 1
			}
		}
		entries = entries[n:]
	}
}

// isSorted reports whether entries are sorted, and loads them and the rows.
func isSorted[E entry](rows []uint16, entries []E) bool {
	last := E(0)
	for at, part := range prefetch.Parts(entries) {
		prefetch.Ahead(rows, at)
		for _, e := range part {
			if e < last {
				return false
			}
			last = e
		}
	}
	return true
}

// differing returns the range [lo, hi) of bits that are not the same in all entries, and loads the rows.
func differing[E entry](rows []uint16, entries []E) (lo, hi int) {
	if len(entries) == 0 {
		return 0, 0
	}
	all := E(0)
	for at, part := range prefetch.Parts(entries) {
		prefetch.Ahead(rows, at)
		some := E(0)
		for _, e := range part {
			some |= e ^ entries[0]
		}
		all |= some
	}
	if all == 0 {
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
