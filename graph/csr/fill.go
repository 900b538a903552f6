// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"fmt"
	"math/bits"
	"slices"
	"sync/atomic"

	"g500/internal/hugepage"
	"g500/internal/par"
	"g500/internal/prefetch"
)

// filler is the state of the second half of kernel 1, with rows of entries of type E.
type filler[E entry] struct {
	*Builder
	Adjacency[E]
	sorters []sorter[E]                                // of each worker
	topBits int                                        // as in sorter
	edit    func(worker int, h ID, row []E) (left int) // changes a sorted row, as in Adjacency.Edit
}

// fill puts each end, with the number of its vertex, into the row of its other end. The number of a vertex is its id
// times factor, plus offset. fill is collective, and called once on a Builder.
func (f *filler[E]) fill(factor, offset int) error {
	f.Rows = hugepage.Make[int64](f.order.Connected() + 1)
	var got ends[E]
	var err error
	if f.wide != nil {
		got, err = rename(f, f.wide, factor, offset)
	} else {
		got, err = rename(f, f.narrow, factor, offset)
	}
	if err != nil {
		return fmt.Errorf("kernel 1: filling rows: %w", err)
	}
	f.wide, f.narrow = nil, nil
	f.sorters = make([]sorter[E], f.workers)
	for w := range f.sorters {
		f.sorters[w].topBits, f.sorters[w].spare = f.topBits, &f.spare[w]
	}
	sorted, places := got, got.places()
	if f.t.Size() > 1 { // blocks are not in consecutive memory
		n := len(got.entries)
		sorted = ends[E]{rows: rowsIn(&f.free, f.workers, n, n), entries: entriesIn[E](&f.free, f.workers, n, n)}
		f.free, f.full = f.full, f.free
	}
	f.sortBlocks(got, sorted, places)
	f.sorters, f.spare = nil, nil
	if err := f.advance(sortParts); err != nil {
		return err
	}
	par.SumUp(f.workers, f.Rows)
	n := int(f.Rows[f.order.Connected()])
	f.Cols = entriesIn[E](&f.free, f.workers, n, n)
	par.For(f.workers, f.grid.each, 1, func(_, block, _ int) {
		f.collect(block, sorted.entries[places[block]:places[block+1]])
	})
	f.full, f.free, f.degrees = buffer{}, buffer{}, nil
	return f.advance(collectParts)
}

// rename deals the ends with ids in place of labels. It uses the memory of Rows.
func rename[S, E entry](f *filler[E], from *byVertex[S], factor, offset int) (ends[E], error) {
	label := ^S(0)
	if f.weighted {
		label = 1<<32 - 1
	}
	par.For(f.workers, f.order.Connected(), vertexGrain, func(_, lo, hi int) {
		for h, l := range f.order.LocalOf[lo:hi] {
			f.Rows[lo+h+1] = int64(len(from.of(l)))
		}
	})
	par.SumUp(f.workers, f.Rows)
	return deal(f.Builder, renamed[S, E]{from, f.order.LocalOf, f.Rows, label, E(factor), E(offset)})
}

// eachRow calls body for each vertex of a block, with the place of its ends in the block.
func (b *Builder) eachRow(block int, body func(h ID, from, to int)) {
	first, last := b.grid.locals(block, len(b.degrees))
	at := 0
	for l, h := range b.order.IDOf[first:last] {
		if h != NoID {
			from := at
			at += int(b.degrees[first+l])
			body(h, from, at)
		}
	}
}

// sorterEnds is the number of ends that all workers together sort at a time in memory of their own. Blocks with more
// ends than a worker's share are sorted when all others are, with memory of the blocks. A variable for tests.
var sorterEnds = 64 * 4 * blockEnds

// sortBlocks sorts and edits the rows of all blocks, and writes the rows of each block one after the other to its place
// in sorted. The ends are in sorted already, or on several ranks in got.
func (f *filler[E]) sortBlocks(got, sorted ends[E], places []int) {
	most := sorterEnds / f.workers
	var large atomic.Bool
	par.For(f.workers, f.grid.each, 1, func(worker, block, _ int) {
		in := sorted.between(places[block], places[block+1])
		if f.t.Size() > 1 {
			got.gather(block, in)
		}
		if n := len(in.entries); n <= most {
			f.sortBlock(worker, block, in, f.sorters[worker].spareEnds(n, most))
		} else {
			large.Store(true)
		}
	})
	if !large.Load() {
		return
	}
	n := len(sorted.entries)
	spare := ends[E]{rows: sorted.rows, entries: entriesIn[E](&f.free, f.workers, n, n)}
	if f.t.Size() > 1 || f.weighted { // else entries are sorted, and only rows are gathered
		spare.rows = rowsIn(&f.free, f.workers, n, n)
	}
	par.For(f.workers, f.grid.each, 1, func(worker, block, _ int) {
		if from, to := places[block], places[block+1]; to-from > most {
			f.sortBlock(worker, block, sorted.between(from, to), spare.between(from, to))
		}
	})
}

// sortBlock sorts and edits the rows of a block, and writes them one after the other. spare is memory for as many ends.
func (f *filler[E]) sortBlock(worker, block int, in, spare ends[E]) {
	first, last := f.grid.locals(block, len(f.degrees))
	sorted, n := f.sorters[worker].sort(in, spare, f.degrees[first:last]), 0
	f.eachRow(block, func(h ID, from, to int) {
		left := f.edit(worker, h, sorted[from:to])
		f.Rows[h+1] = int64(left)
		n += copy(in.entries[n:], sorted[from:from+left])
	})
}

// collect copies the rows of a block, which are one after the other, to their places.
func (f *filler[E]) collect(block int, rows []E) {
	at := 0
	f.eachRow(block, func(h ID, _, _ int) {
		prefetch.Ahead(rows, at)
		at += copy(f.Row(h), rows[at:])
	})
}

// weightBits is the number of differing bits by which a radix sort orders weights. Few entries of a row are equal in
// them, unless the weights are.
const weightBits = 20

// Fill is the second half of kernel 1 for weighted tuples: entries have the bits of a weight in the high half, without
// its sign, and the position of a neighbour in the low half. Each row is sorted by weight, then neighbour. edit then
// changes the row as in Adjacency.Edit. Fill is collective, and called once on a Builder.
func Fill[E ~uint64](b *Builder, edit func(worker int, h ID, row []E) int) (Adjacency[E], error) {
	f := filler[E]{Builder: b, topBits: weightBits, edit: edit}
	err := f.fill(1, b.order.Rank*b.order.Stride)
	return f.Adjacency, err
}

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
	room := spareRoom(n, most)
	return ends[E]{rows: rowsIn(s.spare, 1, n, room), entries: entriesIn[E](s.spare, 1, n, room)}
}

// spareRoom returns the capacity of a worker's buffer for n ends, which grows up to most ends.
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
