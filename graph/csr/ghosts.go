// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"math/bits"
	"slices"
	"sort"
	"sync/atomic"

	"g500/internal/hugepage"
	"g500/internal/par"
)

// ghosts are vertices of other ranks that rows contain, sorted by rank, then id. Buckets of equal id ranges make find
// fast.
type ghosts struct {
	ids     []ID
	from    []int // by rank and bucket, the first ghost; then the number of ghosts
	buckets int   // of each rank
	width   int   // ids of a bucket: a multiple of WordBits
}

// newGhosts returns an empty list, with about one bucket per bucketEnds entries of the rows.
func newGhosts(o *Order, entries int) ghosts {
	words, ranks := o.Stride/WordBits, o.Layout.Ranks()
	buckets := min(max(entries/bucketEnds/ranks, 1), words)
	width := (words + buckets - 1) / buckets
	return ghosts{buckets: (words + width - 1) / width, width: width * WordBits}
}

const bucketEnds = 32

// of returns the ghosts of a rank and the number of the first one.
func (x *ghosts) of(rank int) (ids []ID, first int) {
	if len(x.from) == 0 {
		return nil, 0
	}
	from, to := x.from[rank*x.buckets], x.from[(rank+1)*x.buckets]
	return x.ids[from:to], from
}

// find returns the number of a ghost, if the vertex is one.
func (x *ghosts) find(rank int, h ID) (number int, is bool) {
	b := rank*x.buckets + int(h)/x.width
	number, is = slices.BinarySearch(x.ids[x.from[b]:x.from[b+1]], h)
	return number + x.from[b], is
}

// owner returns the vertex of a ghost, given by its number.
func (x *ghosts) owner(number int) (rank int, h ID) {
	ranks := (len(x.from) - 1) / x.buckets
	rank = sort.Search(ranks, func(r int) bool { return x.from[(r+1)*x.buckets] > number })
	return rank, x.ids[number]
}

// add appends the ghosts of the next rank: the marked ids, from the given one on.
func (x *ghosts) add(marks []uint64, from int) {
	for i, word := range marks {
		if i*WordBits%x.width == 0 {
			x.from = append(x.from, len(x.ids))
		}
		for ; word != 0 && i >= from/WordBits; word &= word - 1 {
			x.ids = append(x.ids, ID(i*WordBits+bits.TrailingZeros64(word)))
		}
	}
}

// marksLimit returns the largest size in bytes of marks for rows of that size. It limits the number of ranks whose
// ghosts one pass over the rows finds.
var marksLimit = func(rows int) int { return max(rows/16, 64<<20) }

// colsGrain is the number of entries that a worker takes at a time.
const colsGrain = 1 << 14

// useIndices replaces the positions in the rows by indices. If all vertices are replicated, they are the same.
func (m rowMaker[P]) useIndices() {
	g := m.g
	if g.Replicated == g.Stride {
		return
	}
	n := 0
	m.eachRank(func(marks []uint64, from int) {
		for _, word := range marks[from/WordBits:] {
			n += bits.OnesCount64(word)
		}
	})
	g.ghosts = newGhosts(&g.Order, m.entries())
	g.ghosts.ids = hugepage.Make[ID](n)[:0] // counted before, so it does not grow
	m.eachRank(g.ghosts.add)
	g.ghosts.from = append(g.ghosts.from, n)
	for _, a := range g.adjacencies() {
		par.For(m.workers, len(a.Cols), colsGrain, func(_, lo, hi int) {
			for i, position := range a.Cols[lo:hi] {
				a.Cols[lo+i], _ = g.Find(g.Vertex(int(position)))
			}
		})
	}
}

// entries returns the number of entries of all rows.
func (m rowMaker[P]) entries() (n int) {
	for _, a := range m.g.adjacencies() {
		n += len(a.Cols)
	}
	return n
}

// eachRank calls body for each rank, with a bitmap of the rank's non-leaf vertices that rows of this rank contain, and
// with the rank's first id that is a ghost. The bitmaps have at most marksLimit bytes, so there may be several passes
// over the rows, each for a few ranks.
func (m rowMaker[P]) eachRank(body func(marks []uint64, from int)) {
	g, ranks := m.g, m.t.Size()
	limit := marksLimit(m.entries() * int(posBytes[P]()))
	together, words := min(max(8*limit/g.Stride, 1), ranks), g.Stride/WordBits
	marks := make([]uint64, together*words)
	for rank := range ranks {
		place := rank % together
		if place == 0 {
			m.markAll(marks, P(rank*g.Stride))
		}
		from := g.Replicated
		if rank == g.Rank {
			from = g.Stride
		}
		body(marks[place*words:(place+1)*words], from)
	}
}

// markAll marks the vertices that the rows contain, for positions from the given one on.
func (m rowMaker[P]) markAll(marks []uint64, from P) {
	clear(marks)
	for _, a := range m.g.adjacencies() {
		par.For(m.workers, len(a.Cols), colsGrain, func(_, lo, hi int) {
			for _, p := range a.Cols[lo:hi] {
				if at := p - from; at < P(len(marks)*WordBits) && p < P(m.g.Positions()) { // at wraps around before from
					mark(marks, int(at))
				}
			}
		})
	}
}

// mark sets a bit, concurrently with other workers. Most bits are set already.
func mark(marks []uint64, i int) {
	word, bit := &marks[i/WordBits], uint64(1)<<(i%WordBits)
	if atomic.LoadUint64(word)&bit == 0 {
		atomic.OrUint64(word, bit)
	}
}
