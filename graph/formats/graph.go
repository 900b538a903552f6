// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"sort"

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
