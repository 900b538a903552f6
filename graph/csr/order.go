package csr

import (
	"math"

	"g500/graph"
	"g500/partition"
)

// ID numbers the vertices with an edge that one rank owns by falling degree, duplicates counted.
type ID uint32

// NoID is the id of a vertex without an edge.
const NoID ID = 1<<32 - 1

// WordBits is the width of a bitmap word.
const WordBits = 64

// Order says which vertices of a rank have an edge, in degree order, and how the positions of all ranks are laid out.
type Order struct {
	Layout     partition.Cyclic
	Rank       int
	Core       int // ids from here on are leaves; the same on all ranks
	Stride     int // positions of core vertices per rank, the same on all ranks, a multiple of WordBits
	Replicated int // the first ids of each rank, as many, have an index on all ranks: whole words; Stride if all
	tail       int // positions of leaves per rank

	LocalOf []graph.Local // id -> place in label order
	IDOf    []ID          // place in label order -> id, or NoID
}

// gaps are positions of each rank that are left free behind its core vertices, and behind its leaves: tests reach
// beyond 32 bits by them.
var gaps struct{ Core, Leaves int }

// Connected is the number of owned vertices with an edge.
func (o *Order) Connected() int { return len(o.LocalOf) }

// OwnCore is the number of owned core vertices, which have the ids below it.
func (o *Order) OwnCore() int { return min(o.Core, o.Connected()) }

// Label is the label of an owned vertex.
func (o *Order) Label(h ID) graph.Global { return o.Layout.Global(o.Rank, o.LocalOf[h]) }

// Position names a vertex alike on all ranks: that of a core vertex is its owner's rank times Stride plus its id.
// The positions of leaves lie behind those of all core vertices and one that is nobody's.
func (o *Order) Position(rank int, h ID) int {
	if int(h) < o.Core {
		return rank*o.Stride + int(h)
	}
	return o.Positions() + 1 + o.leaf(rank, h)
}

// Vertex is the rank that owns the vertex at a position, and its id there.
func (o *Order) Vertex(position int) (rank int, h ID) {
	if position < o.Positions() {
		return position / o.Stride, ID(position % o.Stride)
	}
	return o.ofLeaf(position - o.Positions() - 1)
}

// Positions is how many there are of core vertices.
func (o *Order) Positions() int { return o.Layout.Ranks() * o.Stride }

// leaf numbers the leaves of all ranks, and ofLeaf is the one with a number.
func (o *Order) leaf(rank int, h ID) int { return rank*o.tail + int(h) - o.Core }

func (o *Order) ofLeaf(number int) (rank int, h ID) {
	return number / o.tail, ID(o.Core + number%o.tail)
}

// positions is the number of positions of all vertices, and nobody's.
func (o *Order) positions() int64 { return int64(o.Stride+o.tail)*int64(o.Layout.Ranks()) + 1 }

// Wide reports whether positions need more than 32 bits. It is the same on all ranks.
func (o *Order) Wide() bool { return o.positions() > math.MaxUint32 }
