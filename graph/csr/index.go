// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"math/bits"
	"slices"
	"sort"
	"sync/atomic"

	"g500/internal/hugepage"
	"g500/internal/lists"
	"g500/internal/par"
)

// The rows, arrays and bitmaps of a rank use indices of vertices:
//
//	part of rank 0 | part of rank 1 | ... | part of the last rank | ghosts | None | leaves of all ranks
//
// The part of another rank has its first Replicated ids; the own part has all own non-leaf vertices. Ghosts are the
// other non-leaf vertices of other ranks that this rank's rows contain. Therefore a bitmap has at most one bit per own
// vertex, replicated vertex, and own edge; only the replicated bits grow with the number of ranks (ADR 33). If all
// vertices are replicated, there are no ghosts, and indices are positions.

// Part returns the first index of a rank's part and the one after its last.
func (o *Order) Part(rank int) (from, to int) {
	from = rank * o.Replicated
	switch {
	case rank == o.Rank:
		return from, from + o.Stride
	case rank > o.Rank:
		from += o.Stride - o.Replicated
	}
	return from, from + o.Replicated
}

// parts returns the number of indices in all parts.
func (o *Order) parts() int { return (o.Layout.Ranks()-1)*o.Replicated + o.Stride }

// Index returns the index of an owned vertex.
func (g *Graph[P]) Index(h ID) P {
	if int(h) < g.Inner {
		return P(g.Rank*g.Replicated + int(h))
	}
	return g.None() + 1 + P(g.leaf(g.Rank, h))
}

// Find returns the index of a rank's vertex, if it has one on this rank.
func (g *Graph[P]) Find(rank int, h ID) (p P, has bool) {
	switch {
	case int(h) >= g.Inner:
		return g.None() + 1 + P(g.leaf(rank, h)), true
	case rank == g.Rank || int(h) < g.Replicated:
		from, _ := g.Part(rank)
		return P(from + int(h)), true
	}
	number, is := g.ghosts.find(rank, h)
	return P(g.parts() + number), is
}

// Owner returns the rank that owns the vertex with an index, and its id there. p must not be None.
func (g *Graph[P]) Owner(p P) (rank int, h ID) {
	if g.Replicated == g.Stride {
		return g.Vertex(int(p))
	}
	return g.ownerOf(p)
}

// ownerOf is Owner if there may be ghosts.
func (g *Graph[P]) ownerOf(p P) (rank int, h ID) {
	at, parts := int(p), g.parts()
	switch own, end := g.Part(g.Rank); {
	case at > int(g.None()):
		return g.ofLeaf(at - int(g.None()) - 1)
	case at >= parts:
		return g.ghosts.owner(at - parts)
	case at >= end:
		at -= g.Stride - g.Replicated
	case at >= own:
		return g.Rank, ID(at - own)
	}
	return at / g.Replicated, ID(at % g.Replicated)
}

// IsGhost reports whether an index belongs to a ghost.
func (g *Graph[P]) IsGhost(p P) bool { return p >= P(g.parts()) && p < g.None() }

// IsReplicated reports whether an index belongs to a replicated vertex.
func (g *Graph[P]) IsReplicated(p P) bool {
	_, end := g.Part(g.Rank)
	rest := g.Stride - g.Replicated // indices at the end of the own part
	return p < P(g.parts()) && p-P(end-rest) >= P(rest)
}

// Ghosts returns the ids of a rank's ghosts in rising order, and the index of the first one; others follow it.
func (g *Graph[P]) Ghosts(rank int) (ids []ID, first P) {
	ids, from := g.ghosts.of(rank)
	return ids, P(g.parts() + from)
}

// None returns the index that means no vertex: the one after the indices of all non-leaf vertices. Bitmaps have a bit
// for it, which is never set.
func (g *Graph[P]) None() P { return P(g.parts() + len(g.ghosts.ids)) }

// ghosts are vertices of other ranks that rows contain, by rank, then id. Buckets of equal id ranges speed up find.
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
func (m rowMaker[P]) entries() int {
	return lists.Sum(m.g.adjacencies(), func(a *Adjacency[P]) int { return len(a.Cols) })
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
