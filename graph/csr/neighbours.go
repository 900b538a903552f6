// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"slices"

	"g500/comm"
	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
)

// vertexGrain is the number of vertices that a worker takes at a time.
const vertexGrain = 1 << 12

// firstNeighbours copies the first two neighbours of each row into arrays, and sets the labels of the first ones.
func (m rowMaker[P]) firstNeighbours() error {
	g := m.g
	g.First = hugepage.Make[P](g.Connected())
	g.Second = hugepage.Make[P](g.OwnInner())
	par.For(m.workers, g.Connected(), vertexGrain, func(_, lo, hi int) {
		for h := lo; h < hi; h++ {
			row := g.Row(ID(h))
			g.First[h] = g.None()
			if len(row) > 0 {
				g.First[h] = min(row[0], g.None())
			}
			if h >= len(g.Second) {
				continue
			}
			g.Second[h] = g.None()
			if len(row) > 1 {
				g.Second[h] = row[1]
			}
		}
	})
	g.FirstLabel = newFirstLabels(len(g.IDOf), g.Layout.Vertices())
	par.For(m.workers, len(g.IDOf), vertexGrain, func(_, lo, hi int) {
		for l := lo; l < hi; l++ {
			g.FirstLabel.set(graph.Local(l), graph.NoParent)
		}
	})
	return m.firstLabels()
}

// sharedLabels is the number of labels that each rank receives without a query, at most. They are labels of vertices of
// the highest degrees, to which most parents belong. A variable for tests.
var sharedLabels = 1 << 20

// knownPerVertex bounds the labels that all ranks receive, per own vertex of a rank.
const knownPerVertex = 4

// firstLabels sets the labels of first neighbours, which their owners have.
func (m rowMaker[P]) firstLabels() error {
	g := m.g
	send := make([][]graph.Local, m.t.Size())
	for rank := range send {
		send[rank] = g.LocalOf[:min(sharedLabels/len(send), knownPerVertex*g.Connected()/len(send), g.Connected())]
	}
	locals, err := comm.Exchange(m.t, send)
	if err != nil {
		return err
	}
	g.known = make([][]graph.Local, len(send))
	g.known[g.Rank] = g.LocalOf
	for rank := range locals {
		if rank != g.Rank {
			g.known[rank] = slices.Clone(locals[rank]) // the next exchange uses its memory
		}
	}
	rest := make([][]ID, m.workers)
	par.For(m.workers, g.Connected(), vertexGrain, func(worker, lo, hi int) {
		for h := ID(lo); h < ID(hi); h++ {
			if g.Degree(h) == 0 {
				continue
			}
			if label, known := g.KnownLabel(g.Row(h)[0]); known {
				g.FirstLabel.set(g.LocalOf[h], label)
			} else {
				rest[worker] = append(rest[worker], h)
			}
		}
	})
	return m.queryLabels(slices.Concat(rest...))
}

// pieceLabels is the number of labels that a rank queries at a time.
const pieceLabels = 1 << 18

// queryLabels sets the labels of the first neighbours of some vertices.
func (m rowMaker[P]) queryLabels(ids []ID) error {
	g := m.g
	rounds, err := comm.Reduce(m.t, int64((len(ids)+pieceLabels-1)/pieceLabels), comm.Max)
	if err != nil {
		return err
	}
	labels := NewLabels(g, m.t, m.workers)
	for range int(rounds) {
		piece := ids[:min(pieceLabels, len(ids))]
		ids = ids[len(piece):]
		err := labels.Resolve(len(piece), func(k int) P { return g.Row(piece[k])[0] },
			func(k int, label graph.Global) { g.FirstLabel.set(g.LocalOf[piece[k]], label) })
		if err != nil {
			return err
		}
	}
	return nil
}
