// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"iter"
	"unsafe"

	"g500/internal/hugepage"
	"g500/internal/prefetch"
)

// entry is a type of entries: labels, keys, positions, or weights and one of these.
type entry interface{ ~uint32 | ~uint64 }

// ends are tuple ends at vertices of a grid, by sender, then block. An end has the row of its vertex, and an entry.
type ends[E entry] struct {
	blocks  int   // of each sender
	starts  []int // of each sender's blocks: the first end; then the number of ends
	rows    []uint16
	entries []E
}

// between returns the ends from an index up to another one, without their blocks.
func (e *ends[E]) between(lo, hi int) ends[E] {
	return ends[E]{rows: e.rows[lo:hi], entries: e.entries[lo:hi]}
}

// part returns the rows and entries of a block of a sender. Parts are numbered by sender, then block.
func (e *ends[E]) part(i int) ([]uint16, []E) {
	lo, hi := e.starts[i], e.starts[i+1]
	return e.rows[lo:hi], e.entries[lo:hi]
}

// block returns the rows and entries of a block, from all senders.
func (e *ends[E]) block(b int) iter.Seq2[[]uint16, []E] {
	return func(yield func([]uint16, []E) bool) {
		for i := b; i < len(e.starts)-1; i += e.blocks {
			if !yield(e.part(i)) {
				return
			}
		}
	}
}

// gather copies the ends of a block from all senders.
func (e *ends[E]) gather(block int, to ends[E]) {
	n := 0
	for rows, entries := range e.block(block) {
		for at, part := range prefetch.Parts(entries) {
			prefetch.Ahead(rows, at)
			copy(to.rows[n:], rows[at:][:len(part)])
			n += copy(to.entries[n:], part)
		}
	}
}

// places returns the number of ends in the blocks before each one, and in all.
func (e *ends[E]) places() []int {
	places := make([]int, e.blocks+1)
	for i, start := range e.starts[1:] {
		places[i%e.blocks+1] += start - e.starts[i]
	}
	for block := range e.blocks {
		places[block+1] += places[block]
	}
	return places
}

// buffer is memory for ends, which is used again for other ends.
type buffer struct {
	rows    []uint16
	entries []uint64
}

// rowsIn returns memory for the rows of n ends in a buffer. If the buffer is smaller, it is made anew, with memory for
// room ends.
func rowsIn(b *buffer, n, room int) []uint16 {
	if len(b.rows) < n {
		b.rows = nil // may be freed first
		b.rows = hugepage.Make[uint16](room)
	}
	return b.rows[:n]
}

// entriesIn is rowsIn for entries.
func entriesIn[E entry](b *buffer, n, room int) []E {
	inWord := 8 / int(unsafe.Sizeof(*new(E)))
	if len(b.entries)*inWord < n {
		b.entries = nil
		b.entries = hugepage.Make[uint64]((room + inWord - 1) / inWord)
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(b.entries))), len(b.entries)*inWord)[:n]
}
