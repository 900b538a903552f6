// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
)

// Pos32 and Pos64 are types of positions (packed global ids), and of indices, which are at most as large.
type (
	Pos32 uint32 // of graphs whose positions are all below 2^32: half the memory traffic
	Pos64 uint64 // of all graphs
)

// Pos is the type of a graph's positions and indices (ADR 26).
type Pos interface{ Pos32 | Pos64 }

// Graph is one rank's part of the structure. It is immutable after kernel 1.
type Graph[P Pos] struct {
	Order
	Adjacency[P] // indices of neighbours, each once, by id, then rank; rows of non-leaf vertices without leaves
	// Out has the same rows or, in a directed graph, rows of targets. There Adjacency has rows of sources, the vertices
	// whose arcs enter a vertex, and there are no separate leaves.
	Out    *Adjacency[P]
	ghosts ghosts

	First  []P // of id h: its first neighbour, Cols[Rows[h]], if that is not a leaf, else None
	Second []P // of a non-leaf vertex: the second neighbour, or None

	FirstLabel FirstLabels // by local id: the label of Cols[Rows[h]]

	known [][]graph.Local // by rank and id: local ids of all own vertices, and of other ranks' vertices of highest degree

	leafEnds int64 // leaves whose neighbour is a leaf
}

// Simple returns this rank's share of the simple graph (engine.Counter). An edge between a leaf and another vertex is
// only in the row of the leaf.
func (g *Graph[P]) Simple() (vertices, ends int64) {
	if g.Directed() {
		return 0, 0
	}
	entries := int64(len(g.Cols))
	ofLeaves := entries - g.Rows[g.OwnInner()]
	return int64(g.Connected()), entries + ofLeaves - g.leafEnds
}

// Directed reports whether the graph is directed.
func (g *Graph[P]) Directed() bool { return g.Out != &g.Adjacency }

// adjacencies returns the rows in both directions, once if they are the same.
func (g *Graph[P]) adjacencies() []*Adjacency[P] {
	if g.Directed() {
		return []*Adjacency[P]{&g.Adjacency, g.Out}
	}
	return []*Adjacency[P]{&g.Adjacency}
}

func posBytes[P Pos]() int64 { return int64(unsafe.Sizeof(*new(P))) }

// Adjacency has the rows of one rank's vertices in degree order, one after the other. An entry of type E has the id of
// a neighbour, and may have a weight.
type Adjacency[E any] struct {
	Rows []int64 // The row of id h is Cols[Rows[h]:Rows[h+1]]; the last element is the number of entries
	Cols []E
}

// Row returns the row of an owned vertex.
func (a *Adjacency[E]) Row(h ID) []E { return a.Cols[a.Rows[h]:a.Rows[h+1]] }

// Degree returns the number of entries in the row of an owned vertex.
func (a *Adjacency[E]) Degree(h ID) int64 { return a.Rows[h+1] - a.Rows[h] }

// rowGrain is the number of rows that a goroutine edits at a time. It is small because the first rows are the longest.
const rowGrain = 32

// Edit calls edit for each row, from several goroutines at a time; worker is the number of the goroutine. edit may
// reorder and change the entries, and returns how many of the first ones remain. Edit copies these to new memory.
func (a *Adjacency[E]) Edit(workers int, edit func(worker int, h ID, row []E) int) {
	n := len(a.Rows) - 1
	edited := Adjacency[E]{Rows: hugepage.Make[int64](n + 1)}
	par.For(workers, n, rowGrain, func(worker, lo, hi int) {
		for h := lo; h < hi; h++ {
			edited.Rows[h+1] = int64(edit(worker, ID(h), a.Row(ID(h))))
		}
	})
	par.SumUp(workers, edited.Rows)
	edited.Cols = hugepage.Make[E](int(edited.Rows[n]))
	par.For(workers, n, rowGrain, func(_, lo, hi int) {
		for h := ID(lo); h < ID(hi); h++ {
			copy(edited.Row(h), a.Row(h))
		}
	})
	*a = edited
}

// rowMaker is the state of the second half of kernel 1 for searches without weights, with positions of type P.
type rowMaker[P Pos] struct {
	*Builder
	g *Graph[P]
}

// Finish is the second half of kernel 1: it fills the rows, sorts them and removes duplicates. It is collective, and
// called once on a Builder. Positions fit into P, as IDs64 reports. The first replicated ids of each rank have
// an index on all ranks.
func Finish[P Pos](b *Builder, replicated int) (*Graph[P], error) {
	b.order.Replicated = replicated
	m := rowMaker[P]{b, &Graph[P]{Order: b.order}}
	if err := m.fill(b, &m.g.Adjacency); err != nil {
		return nil, err
	}
	m.g.Out = &m.g.Adjacency
	if opposite := b.Opposite(); opposite != nil {
		m.g.Out = &Adjacency[P]{}
		if err := m.fill(opposite, m.g.Out); err != nil {
			return nil, err
		}
	}
	m.useIndices()
	if err := m.firstNeighbours(); err != nil {
		return nil, fmt.Errorf("kernel 1: first neighbours: %w", err)
	}
	return m.g, nil
}

// fill fills the rows of one direction.
func (m rowMaker[P]) fill(b *Builder, rows *Adjacency[P]) error {
	f := filler[P]{Builder: b, topBits: 8 * int(posBytes[P]()), edit: m.edit}
	err := f.fill(m.t.Size(), m.t.Rank()) // rows are sorted by id, then rank
	*rows = f.Adjacency
	return err
}

// edit removes duplicates from a sorted row, and leaves from the row of a non-leaf vertex, and replaces sort keys by
// positions.
func (m rowMaker[P]) edit(_ int, h ID, row []P) int {
	g, ranks := m.g, m.t.Size()
	row = distinct(row)
	if int(h) < g.Inner {
		row = row[:withoutLeaves(row, P(g.Inner)*P(ranks))]
		if ranks == 1 {
			return len(row) // keys of non-leaf vertices are positions
		}
	} else if withoutLeaves(row, P(g.Inner)*P(ranks)) == 0 {
		atomic.AddInt64(&g.leafEnds, 1)
	}
	for i, key := range row {
		rank, h := g.Layout.Split(graph.Global(key))
		row[i] = P(g.Position(rank, ID(h)))
	}
	return len(row)
}

// distinct removes duplicates from a sorted row. It has no branch that depends on the entries.
func distinct[P Pos](row []P) []P {
	if len(row) == 0 {
		return row
	}
	n, last := 1, row[0]
	for _, p := range row[1:] {
		row[n] = p
		if p != last {
			n++
		}
		last = p
	}
	return row[:n]
}

// withoutLeaves returns the number of entries of a sorted row with keys below the key of the first leaf.
func withoutLeaves[P Pos](row []P, leaf P) int {
	n := len(row)
	for n > 0 && row[n-1] >= leaf {
		n--
	}
	return n
}
