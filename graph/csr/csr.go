package csr

import (
	"g500/graph"
	"g500/partition"
)

// Pos is the position of a vertex with an edge. That of a core vertex is its owner's rank times Stride plus its hub
// id. The positions of leaves lie behind those of all core vertices and Graph.None.
type Pos uint32

// Hub numbers the vertices with an edge that one rank owns, by falling degree.
type Hub uint32

// NoHub stands for the hub id of a vertex without an edge.
const NoHub Hub = 1<<32 - 1

// WordBits is the width of a bitmap word.
const WordBits = 64

// Graph is one rank's part of the structure. It is not changed once it is built.
type Graph struct {
	Layout partition.Cyclic
	Rank   int
	Core   int // hub ids from here on are leaves; the same on all ranks
	Stride int // positions of core vertices per rank, the same on all ranks, a multiple of WordBits
	tail   int // positions of leaves per rank

	Rows   []int64 // of hub id h: Cols[Rows[h]:Rows[h+1]]; one entry more than there are vertices with an edge
	Cols   []Pos   // neighbours, each once, by hub id, then rank; those of core vertices without leaves
	First  []Pos   // of hub id h: its first neighbour, Cols[Rows[h]], if that is a core vertex, or else None
	Second []Pos   // of a core vertex: the second of its row, or None

	LocalOf    []graph.Local  // hub id -> place in label order
	HubOf      []Hub          // place in label order -> hub id, or NoHub
	FirstLabel []graph.Global // place in label order -> label of Cols[Rows[h]], or graph.NoParent where the row is empty
}

// Hubs is the number of owned vertices with an edge.
func (g *Graph) Hubs() int { return len(g.LocalOf) }

// OwnCore is the number of owned core vertices, which have the hub ids below it.
func (g *Graph) OwnCore() int { return min(g.Core, g.Hubs()) }

// Row is the adjacency list of an owned vertex, without leaves if it is a core vertex.
func (g *Graph) Row(h Hub) []Pos { return g.Cols[g.Rows[h]:g.Rows[h+1]] }

// Degree is the length of the row of an owned vertex.
func (g *Graph) Degree(h Hub) int64 { return g.Rows[h+1] - g.Rows[h] }

// Label is the label of an owned vertex.
func (g *Graph) Label(h Hub) graph.Global { return g.Layout.Global(g.Rank, g.LocalOf[h]) }

// Pos is the position of an owned vertex.
func (g *Graph) Pos(h Hub) Pos { return g.At(g.Rank, h) }

// At is the position of a rank's vertex.
func (g *Graph) At(rank int, h Hub) Pos {
	if int(h) < g.Core {
		return Pos(rank*g.Stride + int(h))
	}
	return g.None() + 1 + Pos(rank*g.tail+int(h)-g.Core)
}

// Owner is the rank that owns the vertex at p, and its hub id there. p is not None.
func (g *Graph) Owner(p Pos) (rank int, h Hub) {
	if p < g.None() {
		return int(p) / g.Stride, Hub(int(p) % g.Stride)
	}
	leaf := int(p - g.None() - 1)
	return leaf / g.tail, Hub(g.Core + leaf%g.tail)
}

// None is the position of no vertex. It is the one behind those of all core vertices, so that a bitmap can have a
// bit for it that is never set.
func (g *Graph) None() Pos { return Pos(g.Layout.Ranks() * g.Stride) }

// Words is the length in words of a bitmap over the core vertices of all ranks, without None.
func (g *Graph) Words() int { return g.Layout.Ranks() * g.Stride / WordBits }

// Bytes is the size of the structure in memory.
func (g *Graph) Bytes() int64 {
	return 8*int64(len(g.Rows)) + 4*int64(len(g.Cols)) + 4*int64(len(g.First)+len(g.Second)) +
		4*int64(len(g.LocalOf)) + 4*int64(len(g.HubOf)) + 8*int64(len(g.FirstLabel))
}
