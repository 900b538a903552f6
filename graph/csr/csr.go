package csr

import (
	"unsafe"

	"g500/graph"
)

// Pos32 and Pos64 are positions of vertices with an edge. That of a core vertex is its owner's rank times Stride plus
// its hub id. The positions of leaves lie behind those of all core vertices and Graph.None.
type (
	Pos32 uint32 // of graphs whose positions are all below 2^32: half as much for each level to read
	Pos64 uint64 // of any graph: wide positions
)

// Pos is the word that a graph has for a position (ADR 26).
type Pos interface{ Pos32 | Pos64 }

// Graph is one rank's part of the structure. It is not changed once it is built.
type Graph[P Pos] struct {
	Order

	Rows   []int64 // of hub id h: Cols[Rows[h]:Rows[h+1]]; one entry more than there are vertices with an edge
	Cols   []P     // neighbours, each once, by hub id, then rank; those of core vertices without leaves
	First  []P     // of hub id h: its first neighbour, Cols[Rows[h]], if that is a core vertex, or else None
	Second []P     // of a core vertex: the second of its row, or None

	FirstLabel []graph.Global // place in label order -> label of Cols[Rows[h]], or graph.NoParent where the row is empty
}

// Row is the adjacency list of an owned vertex, without leaves if it is a core vertex.
func (g *Graph[P]) Row(h Hub) []P { return g.Cols[g.Rows[h]:g.Rows[h+1]] }

// Degree is the length of the row of an owned vertex.
func (g *Graph[P]) Degree(h Hub) int64 { return g.Rows[h+1] - g.Rows[h] }

// Pos is the position of an owned vertex.
func (g *Graph[P]) Pos(h Hub) P { return g.At(g.Rank, h) }

// At is the position of a rank's vertex.
func (g *Graph[P]) At(rank int, h Hub) P {
	if int(h) < g.Core {
		return P(rank*g.Stride + int(h))
	}
	return g.None() + 1 + P(rank*g.tail+int(h)-g.Core)
}

// Owner is the rank that owns the vertex at p, and its hub id there. p is not None.
func (g *Graph[P]) Owner(p P) (rank int, h Hub) {
	if p < g.None() {
		return int(p) / g.Stride, Hub(int(p) % g.Stride)
	}
	leaf := int(p - g.None() - 1)
	return leaf / g.tail, Hub(g.Core + leaf%g.tail)
}

// None is the position of no vertex. It is the one behind those of all core vertices, so that a bitmap can have a
// bit for it that is never set.
func (g *Graph[P]) None() P { return P(g.Layout.Ranks() * g.Stride) }

// Bytes is the size of the structure in memory.
func (g *Graph[P]) Bytes() int64 {
	return 8*int64(len(g.Rows)) + posBytes[P]()*int64(len(g.Cols)+len(g.First)+len(g.Second)) +
		4*int64(len(g.LocalOf)) + 4*int64(len(g.HubOf)) + 8*int64(len(g.FirstLabel))
}

func posBytes[P Pos]() int64 { return int64(unsafe.Sizeof(*new(P))) }
