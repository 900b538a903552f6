package csr

import (
	"g500/graph"
	"g500/partition"
)

// Pos is the position of a vertex with an edge: its owner's rank times Stride plus its hub id.
type Pos uint32

// Hub numbers the vertices with an edge that one rank owns, by falling degree.
type Hub uint32

// NoHub stands for the hub id of a vertex without an edge.
const NoHub Hub = 1<<32 - 1

// WordBits is the width of a bitmap word.
const WordBits = 64

// Graph is one rank's part of the structure. It is not changed once it is built.
type Graph struct {
	Layout partition.Layout
	Rank   int
	Stride int // positions per rank, the same on all ranks, a multiple of WordBits

	Rows  []int64 // of hub id h: Cols[Rows[h]:Rows[h+1]]; one entry more than there are vertices with an edge
	Cols  []Pos   // neighbours, each once, by hub id, then rank
	First []Pos   // of hub id h: its first neighbour, Cols[Rows[h]]

	LocalOf    []graph.Local  // hub id -> place in label order
	HubOf      []Hub          // place in label order -> hub id, or NoHub
	FirstLabel []graph.Global // place in label order -> label of the first neighbour, or graph.NoParent
}

// Hubs is the number of owned vertices with an edge.
func (g *Graph) Hubs() int { return len(g.First) }

// Row is the adjacency list of an owned vertex.
func (g *Graph) Row(h Hub) []Pos { return g.Cols[g.Rows[h]:g.Rows[h+1]] }

// Degree is the number of distinct neighbours of an owned vertex.
func (g *Graph) Degree(h Hub) int64 { return g.Rows[h+1] - g.Rows[h] }

// Label is the label of an owned vertex.
func (g *Graph) Label(h Hub) graph.Global { return g.Layout.Global(g.Rank, g.LocalOf[h]) }

// Pos is the position of an owned vertex.
func (g *Graph) Pos(h Hub) Pos { return Pos(g.Rank*g.Stride + int(h)) }

// Owner is the rank that owns the vertex at p, and its hub id there.
func (g *Graph) Owner(p Pos) (rank int, h Hub) {
	return int(p) / g.Stride, Hub(int(p) % g.Stride)
}

// Words is the length in words of a bitmap over the positions of all ranks.
func (g *Graph) Words() int { return g.Layout.Ranks() * g.Stride / WordBits }

// Bytes is the size of the structure in memory.
func (g *Graph) Bytes() int64 {
	return 8*int64(len(g.Rows)) + 4*int64(len(g.Cols)) + 4*int64(len(g.First)) + 4*int64(len(g.LocalOf)) +
		4*int64(len(g.HubOf)) + 8*int64(len(g.FirstLabel))
}
