// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"math"
	"slices"
	"unsafe"

	"g500/comm"
	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/nontemporal"
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

// FirstLabels has the label of the first neighbour of each vertex, by local id, or graph.NoParent for an empty row. It
// has 32-bit labels if all labels of the graph fit.
type FirstLabels struct {
	short []int32
	long  []graph.Global
}

// firstLabelBytes returns the size of a label in a graph with labels below vertices. Short labels have a sign, for
// graph.NoParent.
func firstLabelBytes(vertices int64) int64 {
	if vertices <= math.MaxInt32+1 {
		return 4
	}
	return 8
}

// newFirstLabels returns labels of n vertices, in a graph with labels below vertices.
func newFirstLabels(n int, vertices graph.Global) (f FirstLabels) {
	if firstLabelBytes(int64(vertices)) == 4 {
		f.short = hugepage.Make[int32](n)
	} else {
		f.long = hugepage.Make[graph.Global](n)
	}
	return f
}

// At returns the label of the first neighbour of a vertex.
func (f *FirstLabels) At(l graph.Local) graph.Global {
	if f.long != nil {
		return f.long[l]
	}
	return graph.Global(f.short[l])
}

func (f *FirstLabels) set(l graph.Local, label graph.Global) {
	if f.long != nil {
		f.long[l] = label
	} else {
		f.short[l] = int32(label)
	}
}

// Copy copies the labels of the vertices from a local id on, past the caches if they are short.
func (f *FirstLabels) Copy(to []graph.Global, from int) {
	if f.long != nil {
		copy(to, f.long[from:])
		return
	}
	short, lines := f.short[from:from+len(to)], len(to)/nontemporal.Widened
	if start := unsafe.Pointer(unsafe.SliceData(to)); uintptr(start)%nontemporal.LineBytes == 0 {
		nontemporal.Widen(start, unsafe.Pointer(unsafe.SliceData(short)), lines)
		nontemporal.Drain()
	} else {
		lines = 0
	}
	for i := lines * nontemporal.Widened; i < len(to); i++ {
		to[i] = graph.Global(short[i])
	}
}
