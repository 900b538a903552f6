// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"math"
	"math/bits"
	"slices"
	"unsafe"

	"g500/comm"
	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/nontemporal"
	"g500/internal/par"
)

// Labels resolves indices to labels, which only the owners have. Queries are ids and replies are local ids, both in as
// many bytes as the largest local id needs.
type Labels[P Pos] struct {
	g        *Graph[P]
	t        comm.Transport
	workers  int
	Exchange func(send [][]byte) ([][]byte, error) // an AllToAll; by default the transport's
	width    int                                   // bytes of an id
	at       []int                                 // by piece and rank: the next query in the message
	parts    []part                                // of the messages with queries
	queries  [][]byte
	replies  [][]byte
}

// labelGrain is the number of labels that a worker takes at a time.
const labelGrain = 1 << 10

// part is numbers [lo, hi) of the message from a rank.
type part struct{ rank, lo, hi int }

// KnownLabel returns the label of the vertex with an index, if this rank has it: each rank knows the labels of its own
// vertices and of those with the highest degrees. p must not be None.
func (g *Graph[P]) KnownLabel(p P) (label graph.Global, known bool) {
	rank, h := g.Owner(p)
	if known = int(h) < len(g.known[rank]); known {
		label = g.Layout.Global(rank, g.known[rank][h])
	}
	return label, known
}

// NewLabels returns a Labels, which keeps its buffers between calls of Resolve.
func NewLabels[P Pos](g *Graph[P], t comm.Transport, workers int) *Labels[P] {
	own := uint64(g.Layout.Vertices()) / uint64(t.Size()) // the largest local id, at most
	return &Labels[P]{g: g, t: t, workers: workers, Exchange: t.AllToAll, width: max(1, (bits.Len64(own)+7)/8),
		queries: make([][]byte, t.Size()), replies: make([][]byte, t.Size())}
}

// Resolve calls set with the label of n vertices, given by their indices, from several goroutines. It is collective; n
// may be 0.
func (q *Labels[P]) Resolve(n int, index func(i int) P, set func(i int, label graph.Global)) error {
	q.post(n, index)
	queried, err := q.Exchange(q.queries)
	if err != nil {
		return err
	}
	q.reply(queried)
	locals, err := q.Exchange(q.replies)
	if err != nil {
		return err
	}
	// Each piece goes from its last query back to its first, because post left at behind the last.
	par.For(q.workers, n, labelGrain, func(_, lo, hi int) {
		at := q.piece(lo)
		for i := hi - 1; i >= lo; i-- {
			r, _ := q.g.Owner(index(i))
			at[r]--
			set(i, q.g.Layout.Global(r, graph.Local(q.get(locals[r], at[r]))))
		}
	})
	return nil
}

// post writes the messages with the queries, in their order.
func (q *Labels[P]) post(n int, index func(i int) P) {
	ranks := q.t.Size()
	pieces := (n + labelGrain - 1) / labelGrain
	q.at = slices.Grow(q.at[:0], pieces*ranks)[:pieces*ranks]
	clear(q.at)
	par.For(q.workers, n, labelGrain, func(_, lo, hi int) {
		at := q.piece(lo)
		for i := lo; i < hi; i++ {
			r, _ := q.g.Owner(index(i))
			at[r]++
		}
	})
	for r := range ranks {
		sum := 0
		for i := r; i < len(q.at); i += ranks {
			q.at[i], sum = sum, sum+q.at[i]
		}
		q.queries[r] = sized(q.queries[r], sum*q.width)
	}
	par.For(q.workers, n, labelGrain, func(_, lo, hi int) {
		at := q.piece(lo)
		for i := lo; i < hi; i++ {
			r, h := q.g.Owner(index(i))
			q.put(q.queries[r], at[r], uint64(h))
			at[r]++
		}
	})
}

// reply writes the messages with the local ids of the queried vertices.
func (q *Labels[P]) reply(queried [][]byte) {
	q.parts = q.parts[:0]
	for r, ids := range queried {
		q.replies[r] = sized(q.replies[r], len(ids))
		for lo, n := 0, len(ids)/q.width; lo < n; lo += labelGrain {
			q.parts = append(q.parts, part{r, lo, min(lo+labelGrain, n)})
		}
	}
	par.For(q.workers, len(q.parts), 1, func(_, at, _ int) {
		p := q.parts[at]
		for i := p.lo; i < p.hi; i++ {
			h := q.get(queried[p.rank], i)
			q.put(q.replies[p.rank], i, uint64(q.g.LocalOf[h]))
		}
	})
}

// piece returns the next query to each rank of the piece of indices that begins at lo.
func (q *Labels[P]) piece(lo int) []int {
	ranks := q.t.Size()
	return q.at[lo/labelGrain*ranks:][:ranks]
}

// put writes number i of a message.
func (q *Labels[P]) put(message []byte, i int, number uint64) {
	field := message[i*q.width:][:q.width]
	for b := range field {
		field[b] = byte(number >> (8 * b))
	}
}

// get returns number i of a message.
func (q *Labels[P]) get(message []byte, i int) (number uint64) {
	for b, v := range message[i*q.width:][:q.width] {
		number |= uint64(v) << (8 * b)
	}
	return number
}

// sized returns a buffer of n bytes, in the same memory if it has enough.
func sized(buffer []byte, n int) []byte { return slices.Grow(buffer[:0], n)[:n] }

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
