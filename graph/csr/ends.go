// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"iter"
	"unsafe"

	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/nontemporal"
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

// block returns the rows and entries of a block, from all senders.
func (e *ends[E]) block(b int) iter.Seq2[[]uint16, []E] {
	return func(yield func([]uint16, []E) bool) {
		for i := b; i < len(e.starts)-1; i += e.blocks {
			if lo, hi := e.starts[i], e.starts[i+1]; !yield(e.rows[lo:hi], e.entries[lo:hi]) {
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
// capacity ends, and workers populate the part in use.
func rowsIn(b *buffer, workers, n, capacity int) []uint16 {
	if len(b.rows) < n {
		b.rows = nil // may be freed first
		b.rows = hugepage.Make[uint16](capacity)
		hugepage.Populate(workers, b.rows[:n])
	}
	return b.rows[:n]
}

// entriesIn is rowsIn for entries.
func entriesIn[E entry](b *buffer, workers, n, capacity int) []E {
	inWord := 8 / int(unsafe.Sizeof(*new(E)))
	if len(b.entries)*inWord < n {
		b.entries = nil
		b.entries = hugepage.Make[uint64]((capacity + inWord - 1) / inWord)
		hugepage.Populate(workers, b.entries[:(n+inWord-1)/inWord])
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(b.entries))), len(b.entries)*inWord)[:n]
}

// writer writes one worker's ends, each at the next index of its block. Bins collect complete cache lines, because a
// store to memory that is not in the cache waits for the line.
type writer[E entry] struct {
	grid        grid
	to          ends[E]
	first, next []int // by block: this worker's first index, and the next one
	bins        []bin[E]
}

// binEnds is the number of ends in a bin: a line of the cache with rows, and two or four with entries.
const binEnds = nontemporal.LineBytes / 2

// bin has the last ends of a block. The end with index i has the place i mod binEnds.
type bin[E entry] struct {
	rows    [binEnds]uint16
	entries [binEnds]E
}

func newWriter[E entry](g grid, to ends[E], first []int) *writer[E] {
	return &writer[E]{g, to, first, append([]int(nil), first...), make([]bin[E], len(first))}
}

// batchEnds is the largest number of ends of a batch.
const batchEnds = 2 * prefetch.Grain

// batch has some ends, with the labels of their vertices.
type batch[E entry] struct {
	vertices [batchEnds]graph.Global
	entries  [batchEnds]E
	blocks   [batchEnds]uint32
	rows     [batchEnds]uint16
}

// put adds the first n ends of a batch to the bins of their blocks.
func (w *writer[E]) put(b *batch[E], n int) {
	w.grid.locate(b.vertices[:n], b.blocks[:], b.rows[:])
	next, bins := w.next, w.bins[:len(w.next)]
	rows, entries := b.rows[:n], b.entries[:n]
	for i, block := range b.blocks[:n] {
		at := next[block]
		next[block] = at + 1
		bin := &bins[block]
		place := at & (binEnds - 1)
		bin.rows[place], bin.entries[place] = rows[i], entries[i]
		if place == binEnds-1 {
			w.flush(int(block), at+1)
		}
	}
}

// flush writes the complete bin of a block, whose ends are before an index.
func (w *writer[E]) flush(block, end int) {
	b, from := &w.bins[block], end-binEnds
	if from < w.first[block] { // ends of the bin are another worker's
		w.writeRest(block, end)
		return
	}
	copyLines(w.to.rows[from:end], b.rows[:])
	copyLines(w.to.entries[from:end], b.entries[:])
}

// copyLines writes complete lines past the caches.
func copyLines[T any](to, from []T) {
	bytes := len(to) * int(unsafe.Sizeof(to[0]))
	nontemporal.Copy(unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0]), bytes/nontemporal.LineBytes)
}

// writeRest writes this worker's ends of a block's bin, up to an index.
func (w *writer[E]) writeRest(block, end int) {
	if from := max(w.first[block], (end-1)&^(binEnds-1)); from < end {
		b, place := &w.bins[block], from&(binEnds-1)
		copy(w.to.rows[from:end], b.rows[place:])
		copy(w.to.entries[from:end], b.entries[place:])
	}
}

// close writes the rest of all bins.
func (w *writer[E]) close() {
	for block, end := range w.next {
		if end&(binEnds-1) > 0 {
			w.writeRest(block, end)
		}
	}
	nontemporal.Drain()
}
