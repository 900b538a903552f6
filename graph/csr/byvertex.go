// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"sort"

	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
	"g500/internal/prefetch"
)

// byVertex has the entries of a rank's ends in the order of their vertices' local ids.
type byVertex[E entry] struct {
	grid    grid
	starts  []int    // of blocks: the first entry; then the number of entries
	bounds  []uint32 // by local id: the end of the vertex's entries in its block
	entries []E
}

// start deals ends of tuples, orders them by vertex, and counts the ends of each vertex.
func start[E entry](b *Builder, from source[E]) (*byVertex[E], error) {
	got, err := deal(b, from)
	if err != nil {
		return nil, err
	}
	n, locals := len(got.entries), b.order.Layout.Count(b.t.Rank())
	v := &byVertex[E]{b.grid, got.places(), hugepage.Make[uint32](locals), entriesIn[E](&b.free, b.workers, n, n)}
	b.degrees = hugepage.Make[uint32](locals)
	b.spare = make([]buffer, b.workers)
	most := sorterEnds / b.workers
	par.For(b.workers, b.grid.each, 1, func(worker, block, _ int) {
		to := v.entries[v.starts[block]:v.starts[block+1]]
		if len(to) > most {
			v.order(&got, block, b.degrees, to)
			return
		}
		spare := entriesIn[E](&b.spare[worker], 1, len(to), spareRoom(len(to), most))
		v.order(&got, block, b.degrees, spare)
		copy(to, spare)
	})
	b.free, b.full = b.full, b.free
	return v, b.advance(degreesParts)
}

// order writes the entries of a block by vertex, and sets the degrees and bounds of its vertices.
func (v *byVertex[E]) order(got *ends[E], block int, degrees []uint32, to []E) {
	first, last := v.grid.locals(block, len(degrees))
	degrees, next := degrees[first:last], v.bounds[first:last]
	for rows := range got.block(block) {
		for _, part := range prefetch.Parts(rows) {
			for _, row := range part {
				degrees[row]++
			}
		}
	}
	sum := uint32(0)
	for row, n := range degrees {
		next[row] = sum
		sum += n
	}
	for rows, entries := range got.block(block) {
		for at, part := range prefetch.Parts(entries) {
			rows := rows[at:][:len(part)]
			for i, e := range part {
				row := rows[i]
				at := next[row]
				next[row] = at + 1
				to[at] = e
			}
		}
	}
}

// of returns the entries of a vertex.
func (v *byVertex[E]) of(l graph.Local) []E {
	block, from := int(l>>(v.grid.shift&31)), uint32(0)
	if l&(1<<(v.grid.shift&31)-1) != 0 {
		from = v.bounds[l-1]
	}
	start := v.starts[block]
	return v.entries[start+int(from) : start+int(v.bounds[l])]
}

// renamed is the source of ends with the vertices of each end exchanged: it is at the vertex whose label the entry had,
// and its entry has the number of the vertex where it was, id * factor + offset. Ends are in the order of these
// vertices' ids, so one rank's deal sorts the ends of each block by entry, unless entries have weights. Each vertex has
// vertexItems items after its ends, so that workers have shares of about equal time.
type renamed[S, E entry] struct {
	from           *byVertex[S]
	localOf        []graph.Local
	before         []int64 // by id: ends of the vertices with lower ids; then all
	label          S       // mask of the label in an entry
	factor, offset E
}

// vertexItems is the time for a vertex, in that for an end: its entries are at a random place. At scale 22 and with 32
// shares of as many ends, the last one, with most vertices, took 5 to 10 times as long as others.
const vertexItems = 16

func (s renamed[S, E]) size() int { return s.first(len(s.localOf)) }

// first returns the first item of a vertex.
func (s renamed[S, E]) first(h int) int { return int(s.before[h]) + vertexItems*h }

// eachVertex calls body with the entries of each vertex that are among the items [lo, hi). It finds the entries of some
// vertices ahead, because they are at random places.
func (s renamed[S, E]) eachVertex(lo, hi int, body func(h ID, entries []S)) {
	const ahead = 32
	var found [ahead][]S
	first := sort.Search(len(s.localOf), func(h int) bool { return s.first(h+1) > lo })
	for ; first < len(s.localOf) && s.first(first) < hi; first += ahead {
		some := s.localOf[first:min(first+ahead, len(s.localOf))]
		for i, l := range some {
			found[i] = s.from.of(l)
			prefetch.All(found[i][:min(len(found[i]), prefetch.Grain)])
		}
		for i, entries := range found[:len(some)] {
			before := s.first(first + i)
			if from, to := max(lo-before, 0), min(hi-before, len(entries)); from < to {
				body(ID(first+i), entries[from:to])
			}
		}
	}
}

func (s renamed[S, E]) count(lo, hi int, counts []int) {
	g, mask := s.from.grid, s.label
	s.eachVertex(lo, hi, func(_ ID, entries []S) {
		for _, e := range entries {
			counts[g.block(graph.Global(e&mask))]++
		}
	})
}

func (s renamed[S, E]) write(lo, hi int, to *writer[E]) {
	var b batch[E]
	n := 0
	s.eachVertex(lo, hi, func(h ID, entries []S) {
		for number := E(h)*s.factor + s.offset; len(entries) > 0; {
			part := entries[:min(len(entries), batchEnds-n)]
			s.fill(&b, n, part, number)
			n, entries = n+len(part), entries[len(part):]
			if n == batchEnds {
				to.put(&b, n)
				n = 0
			}
		}
	})
	to.put(&b, n)
}

// fill puts ends of one vertex, which has this number, into a batch from place n on.
func (s *renamed[S, E]) fill(b *batch[E], n int, entries []S, number E) {
	vertices, numbers, mask := b.vertices[n:][:len(entries)], b.entries[n:][:len(entries)], s.label
	for i, e := range entries {
		vertices[i], numbers[i] = graph.Global(e&mask), E(e&^mask)|number
	}
}
