package csr

import (
	"unsafe"

	"g500/graph"
)

// Pos32 and Pos64 are words for positions, and for indices, which are no larger.
type (
	Pos32 uint32 // of graphs whose positions are all below 2^32: half as much for each level to read
	Pos64 uint64 // of any graph: wide positions
)

// Pos is the word that a graph has for a position and for an index (ADR 26).
type Pos interface{ Pos32 | Pos64 }

// Graph is one rank's part of the structure. It is not changed once it is built.
type Graph[P Pos] struct {
	Order
	Adjacency[P] // indices of neighbours, each once, by id, then rank; those of core vertices without leaves
	ghosts       ghosts

	First  []P // of id h: its first neighbour, Cols[Rows[h]], if that is a core vertex, or else None
	Second []P // of a core vertex: the second of its row, or None

	FirstLabel []graph.Global // place in label order -> label of Cols[Rows[h]], or graph.NoParent where the row is empty
}

// Bytes is the size of the structure in memory.
func (g *Graph[P]) Bytes() int64 {
	return 8*int64(len(g.Rows)) + posBytes[P]()*int64(len(g.Cols)+len(g.First)+len(g.Second)) +
		4*int64(len(g.LocalOf)) + 4*int64(len(g.IDOf)) + 8*int64(len(g.FirstLabel)) + g.ghosts.bytes()
}

func posBytes[P Pos]() int64 { return int64(unsafe.Sizeof(*new(P))) }
