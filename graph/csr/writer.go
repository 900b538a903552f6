// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"unsafe"

	"g500/graph"
	"g500/internal/nontemporal"
	"g500/internal/prefetch"
)

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
