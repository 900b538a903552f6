// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"sort"

	"g500/graph"
	"g500/internal/par"
)

// Graph is a graph as compressed sparse rows, its vertices numbered as in the input, from 0. The neighbours of vertex v
// are Neighbours[Offsets[v]:Offsets[v+1]], in rising order. The rows of both ends have an undirected edge; a self-loop
// has one entry.
type Graph struct {
	Offsets    []int64   // one more than there are vertices
	Neighbours []uint32  // one for each entry
	Weights    []float32 // one for each entry, or nil if edges have no weights
	Directed   bool

	Repeats // of the input, even if the graph does not have them
	Reading // of the file that has the graph; zero for a generated graph

	loops int64 // entries that lead to their own row
}

// MaxVertices is the largest number of vertices of a Graph: 32 bits hold any vertex number, and the number of vertices.
const MaxVertices = 1<<32 - 1

// Vertices returns the number of vertices, including isolated ones.
func (g *Graph) Vertices() int { return len(g.Offsets) - 1 }

// Entries returns the number of neighbours in all rows.
func (g *Graph) Entries() int64 { return int64(len(g.Neighbours)) }

// Edges returns the number of edges. An undirected edge counts once, although it has two entries.
func (g *Graph) Edges() int64 {
	if g.Directed {
		return g.Entries()
	}
	return (g.Entries() + g.loops) / 2
}

// Row returns the neighbours of a vertex. It must not be changed.
func (g *Graph) Row(v int) []uint32 { return g.Neighbours[g.Offsets[v]:g.Offsets[v+1]] }

// Degree returns the number of neighbours of a vertex, including duplicates.
func (g *Graph) Degree(v int) int { return int(g.Offsets[v+1] - g.Offsets[v]) }

// firstForward returns the first entry of a row that represents an edge, such that each edge counts once: in a directed
// graph all entries do, in an undirected one the entries that lead to the vertex itself or to a higher number.
func (g *Graph) firstForward(v int) int64 {
	if g.Directed {
		return g.Offsets[v]
	}
	row := g.Row(v)
	return g.Offsets[v] + int64(sort.Search(len(row), func(i int) bool { return row[i] >= uint32(v) }))
}

// eachEdge calls body for each edge once, with its index among the entries, until body returns an error.
func (g *Graph) eachEdge(body func(u, v int, at int64) error) error {
	for u := range g.Vertices() {
		for at := g.firstForward(u); at < g.Offsets[u+1]; at++ {
			if err := body(u, int(g.Neighbours[at]), at); err != nil {
				return err
			}
		}
	}
	return nil
}

// rowsAPiece is the number of rows that a worker takes at a time.
const rowsAPiece = 1 << 12

// eachRows calls body for pieces of the rows, on several workers. Piece p begins at row p*rowsAPiece.
func (g *Graph) eachRows(workers int, body func(lo, hi int)) {
	par.For(workers, g.Vertices(), rowsAPiece, func(_, lo, hi int) { body(lo, hi) })
}

// EdgeList has the edges of a graph as a list of tuples, each edge once, in the order of rows. Any part of it can be
// read on its own, so each rank of a run reads its share.
type EdgeList struct {
	*Graph
	before []int64 // the number of edges before each piece of rows, and of all edges
}

// NewEdgeList counts the edges of a graph, with several workers.
func NewEdgeList(g *Graph, workers int) *EdgeList {
	pieces := (g.Vertices() + rowsAPiece - 1) / rowsAPiece
	l := &EdgeList{g, make([]int64, pieces+1)}
	g.eachRows(workers, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			l.before[lo/rowsAPiece+1] += g.Offsets[v+1] - g.firstForward(v)
		}
	})
	for p := range pieces {
		l.before[p+1] += l.before[p]
	}
	return l
}

// Tuples returns the number of tuples of the complete list.
func (l *EdgeList) Tuples() int64 { return l.before[len(l.before)-1] }

// CheckWeights returns an error that names the first edge with a weight that shortest paths do not accept.
func (l *EdgeList) CheckWeights() error {
	return l.eachEdge(func(u, v int, at int64) error {
		if err := graph.WeightError(l.Weights[at]); err != nil {
			from, to, numbered := uint64(u), uint64(v), "vertices"
			if l.Labels != nil {
				from, to, numbered = l.Labels[u], l.Labels[v], "labels"
			}
			return fmt.Errorf("the edge between %s %d and %d has %w: weights=uniform draws others", numbered, from, to, err)
		}
		return nil
	})
}

// Read fills dst with the tuples from number first on, and weights, unless it is nil, with their weights. The list must
// have len(dst) more tuples. weights has the length of dst, and is nil for a graph without weights.
func (l *EdgeList) Read(first int64, dst []graph.Edge, weights []float32) {
	piece := sort.Search(len(l.before)-1, func(p int) bool { return l.before[p+1] > first })
	skip := first - l.before[piece]
	for v := piece * rowsAPiece; len(dst) > 0; v++ {
		at, end := l.firstForward(v), l.Offsets[v+1]
		skipped := min(skip, end-at)
		skip -= skipped
		at += skipped
		n := min(int(end-at), len(dst))
		for i, neighbour := range l.Neighbours[at:][:n] {
			dst[i] = graph.NewEdge(graph.Global(v), graph.Global(neighbour))
		}
		if weights != nil {
			copy(weights[:n], l.Weights[at:])
			weights = weights[n:]
		}
		dst = dst[n:]
	}
}
