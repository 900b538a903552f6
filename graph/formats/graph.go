package formats

import (
	"sort"

	"g500/internal/par"
)

// Graph is a graph as compressed sparse rows, its vertices numbered as in the input, from 0. The neighbours of vertex v
// are Neighbours[Offsets[v]:Offsets[v+1]], in rising order. In an undirected graph an edge stands in the rows of both
// its ends; a self-loop stands once in its row.
type Graph struct {
	Offsets    []int64   // one more than there are vertices
	Neighbours []uint32  // one for each entry
	Weights    []float32 // one for each entry, or nil where edges have none
	Directed   bool

	Reading // of the file that has the graph; zero for a generated graph

	loops int64 // entries that lead to their own row
}

// MaxVertices is the number of vertices that a Graph can have: vertex numbers take 32 bits, and their number too.
const MaxVertices = 1<<32 - 1

// Vertices is the number of vertices, those without an edge included.
func (g *Graph) Vertices() int { return len(g.Offsets) - 1 }

// Entries is the number of neighbours in all rows.
func (g *Graph) Entries() int64 { return int64(len(g.Neighbours)) }

// Edges is the number of edges: of an undirected graph each counts once, though it has two entries.
func (g *Graph) Edges() int64 {
	if g.Directed {
		return g.Entries()
	}
	return (g.Entries() + g.loops) / 2
}

// Row is the neighbours of a vertex. It must not be changed.
func (g *Graph) Row(v int) []uint32 { return g.Neighbours[g.Offsets[v]:g.Offsets[v+1]] }

// Degree is the number of neighbours of a vertex, duplicates included where the graph has them.
func (g *Graph) Degree(v int) int { return int(g.Offsets[v+1] - g.Offsets[v]) }

// firstForward is where in its row the entries of a vertex begin that stand for edges: all of a directed graph; of an
// undirected one those that lead to the vertex itself or to one with a higher number, so that each edge counts once.
func (g *Graph) firstForward(v int) int64 {
	if g.Directed {
		return g.Offsets[v]
	}
	row := g.Row(v)
	return g.Offsets[v] + int64(sort.Search(len(row), func(i int) bool { return row[i] >= uint32(v) }))
}

// rowsAPiece is the number of rows that a worker takes at a time.
const rowsAPiece = 1 << 12

// eachRows calls body for pieces of the rows, on several workers. Piece p begins at row p*rowsAPiece.
func (g *Graph) eachRows(workers int, body func(lo, hi int)) {
	par.For(workers, g.Vertices(), rowsAPiece, func(_, lo, hi int) { body(lo, hi) })
}
