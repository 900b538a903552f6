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

// Ends in a bin: lines of the cache with rows, or with entries.
const (
	binRows    = nontemporal.LineBytes / 2
	binEntries = nontemporal.LineBytes / 4
)

// bin has the last ends of a block. The end with index i has the places i mod binRows and i mod binEntries.
type bin[E entry] struct {
	rows    [binRows]uint16
	entries [binEntries]E
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
		bin.rows[at&(binRows-1)], bin.entries[at&(binEntries-1)] = rows[i], entries[i]
		if at&(binEntries-1) == binEntries-1 {
			w.flush(int(block), at+1)
		}
	}
}

// flush writes the lines of a block that end before an index.
func (w *writer[E]) flush(block, end int) {
	b, first := &w.bins[block], w.first[block]
	writeLine(w.to.entries, b.entries[:], first, end)
	if end%binRows == 0 {
		writeLine(w.to.rows, b.rows[:], first, end)
	}
}

// writeLine writes the elements of a bin before an index to their places. Those before first are not the worker's.
func writeLine[T any](to, bin []T, first, end int) {
	if from := end - len(bin); from >= first {
		bytes := len(bin) * int(unsafe.Sizeof(bin[0]))
		nontemporal.Copy(unsafe.Pointer(&to[from:end][0]), unsafe.Pointer(&bin[0]), bytes/nontemporal.LineBytes)
	} else {
		copy(to[first:end], bin[first-from:])
	}
}

// close writes the rest of all bins.
func (w *writer[E]) close() {
	for block, end := range w.next {
		b, first := &w.bins[block], w.first[block]
		from := max(first, end&^(binEntries-1))
		copy(w.to.entries[from:end], b.entries[from&(binEntries-1):])
		from = max(first, end&^(binRows-1))
		copy(w.to.rows[from:end], b.rows[from&(binRows-1):])
	}
	nontemporal.Drain()
}
