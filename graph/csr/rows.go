// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"errors"
	"fmt"
	"sync/atomic"

	"g500/graph"
)

// rowMaker is the state of the second half of kernel 1 for searches without weights, with positions of type P.
type rowMaker[P Pos] struct {
	*Builder
	g *Graph[P]
}

// Finish is the second half of kernel 1: it fills the rows, sorts them and removes duplicates. It is collective, and
// called once on a Builder. Positions that do not fit into P are an error. The first replicated ids of each rank have
// an index on all ranks.
func Finish[P Pos](b *Builder, replicated int) (*Graph[P], error) {
	if b.IDs64() && posBytes[P]() < 8 {
		return nil, errors.New("kernel 1: the graph's positions do not fit into 32 bits: let the engine choose their width")
	}
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
