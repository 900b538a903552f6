// SPDX-License-Identifier: Apache-2.0

package csr

import (
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
	v := &byVertex[E]{b.grid, got.places(), hugepage.Make[uint32](locals), newEntries[E](b, n, n)}
	b.degrees = hugepage.Make[uint32](locals)
	b.spare = make([]buffer, b.workers)
	most := sorterEnds / b.workers
	par.For(b.workers, b.grid.each, 1, func(worker, block, _ int) {
		to := v.entries[v.starts[block]:v.starts[block+1]]
		if len(to) > most {
			v.order(&got, block, b.degrees, to)
			return
		}
		spare := spareEntries[E](&b.spare[worker], len(to), most)
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
