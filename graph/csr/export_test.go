// SPDX-License-Identifier: Apache-2.0

package csr

// Gaps are unused positions in tests.
var Gaps = &gaps

// MarksLimit makes kernel 1 of small graphs pass over the rows several times; SharedLabels makes ranks query labels.
var MarksLimit, SharedLabels = &marksLimit, &sharedLabels

// BlockEnds divides small graphs into many blocks, DealerShare lets many workers deal ends into them, and SorterEnds
// makes blocks too large for the memory of a worker.
var BlockEnds, DealerShare, SorterEnds = &blockEnds, &dealerShare, &sorterEnds

// OrderOf returns the order of a graph without vertices, with tail positions of leaves per rank, all replicated.
func OrderOf(o Order, tail int) Order {
	o.tail, o.Replicated = tail, o.Stride
	return o
}

// Bytes returns the size of the structure in memory.
func (g *Graph[P]) Bytes() int64 {
	rows := int64(0)
	for _, a := range g.adjacencies() {
		rows += 8*int64(len(a.Rows)) + posBytes[P]()*int64(len(a.Cols))
	}
	locals := 0 // by id
	for _, known := range g.known {
		locals += len(known)
	}
	labels := 4*int64(len(g.FirstLabel.short)) + 8*int64(len(g.FirstLabel.long))
	ghosts := 4*int64(len(g.ghosts.ids)) + 8*int64(len(g.ghosts.from))
	return rows + posBytes[P]()*int64(len(g.First)+len(g.Second)) + 4*int64(locals+len(g.IDOf)) + labels + ghosts
}
