package csr

import (
	"errors"
	"fmt"

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
	var got ends[E]
	var err error
	if f.wide != nil {
		got, err = rename[uint64](f, *f.wide, factor, offset)
	} else {
		got, err = rename[uint32](f, *f.narrow, factor, offset)
	}
	if err != nil {
		return fmt.Errorf("kernel 1: filling rows: %w", err)
	}
	f.wide, f.narrow = nil, nil
	f.sorters = make([]sorter[E], f.workers)
	for w := range f.sorters {
		f.sorters[w].topBits = f.topBits
	}
	f.Rows = hugepage.Make[int64](f.order.Connected() + 1)
	sorted, places := got.entries, got.places()
	if f.t.Size() > 1 { // blocks are not in consecutive memory
		sorted = entriesIn[E](&f.free, len(got.entries), len(got.entries))
		f.free, f.full = f.full, f.free
	}
	par.For(f.workers, f.grid.each, 1, func(worker, block, _ int) {
		f.sortBlock(worker, block, got, sorted[places[block]:places[block+1]])
	})
	f.sorters = nil
	if err := f.advance(sortParts); err != nil {
		return err
	}
	sumUp(f.workers, f.Rows)
	n := int(f.Rows[f.order.Connected()])
	f.Cols = entriesIn[E](&f.free, n, n)
	par.For(f.workers, f.grid.each, 1, func(_, block, _ int) { f.collect(block, sorted[places[block]:places[block+1]]) })
	f.full, f.free, f.degrees = buffer{}, buffer{}, nil
	return f.advance(collectParts)
}

// rename deals the ends with ids in place of labels.
func rename[S, E entry](f *filler[E], from ends[S], factor, offset int) (ends[E], error) {
	label := ^S(0)
	if f.weighted {
		label = 1<<32 - 1
	}
	return deal(f.Builder, renamed[S, E]{f.grid, from, f.order.IDOf, label, E(factor), E(offset)})
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

// sortBlock sorts and edits the rows of a block, and writes them one after the other. out may be the block's memory.
func (f *filler[E]) sortBlock(worker, block int, in ends[E], out []E) {
	first, last := f.grid.locals(block, len(f.degrees))
	sorted, n := f.sorters[worker].sort(in, block, f.degrees[first:last]), 0
	f.eachRow(block, func(h ID, from, to int) {
		left := f.edit(worker, h, sorted[from:to])
		f.Rows[h+1] = int64(left)
		n += copy(out[n:], sorted[from:from+left])
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
	if !b.weighted {
		return Adjacency[E]{}, errors.New("kernel 1: the tuples have no weights")
	}
	f := filler[E]{Builder: b, topBits: weightBits, edit: edit}
	err := f.fill(1, b.order.Rank*b.order.Stride)
	return f.Adjacency, err
}
