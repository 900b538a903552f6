// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"cmp"
	"math"
	"slices"

	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
	"g500/partition"
)

// ID is the number of a non-isolated vertex on the rank that owns it, by falling degree (with duplicates).
type ID uint32

// NoID is the id of an isolated vertex.
const NoID ID = 1<<32 - 1

// WordBits is the width of a bitmap word.
const WordBits = 64

// Order has the degree order of a rank's non-isolated vertices, and the parameters of positions.
type Order struct {
	Layout     partition.Cyclic
	Rank       int
	Inner      int // first id of leaves, the same on all ranks
	Stride     int // positions of non-leaf vertices per rank, the same on all ranks, a multiple of WordBits
	Replicated int // number of first ids of each rank with an index on all ranks; a multiple of WordBits, Stride for all
	tail       int // positions of leaves per rank

	LocalOf []graph.Local // by id
	IDOf    []ID          // by local id; NoID for isolated vertices
}

// gaps are unused positions of each rank after its non-leaf vertices and after its leaves, with which tests exceed 32
// bits.
var gaps struct{ Inner, Leaves int }

// Connected returns the number of non-isolated owned vertices.
func (o *Order) Connected() int { return len(o.LocalOf) }

// OwnInner returns the number of owned non-leaf vertices, which have the ids below it.
func (o *Order) OwnInner() int { return min(o.Inner, o.Connected()) }

// Label returns the label of an owned vertex.
func (o *Order) Label(h ID) graph.Global { return o.Layout.Global(o.Rank, o.LocalOf[h]) }

// Position returns the packed global id of a vertex: for a non-leaf vertex, the rank times Stride plus its id. The
// positions of leaves begin after the positions of all non-leaf vertices and one unused position.
func (o *Order) Position(rank int, h ID) int {
	if int(h) < o.Inner {
		return rank*o.Stride + int(h)
	}
	return o.Positions() + 1 + o.leaf(rank, h)
}

// Vertex returns the rank that owns the vertex at a position, and its id there.
func (o *Order) Vertex(position int) (rank int, h ID) {
	if position < o.Positions() {
		return position / o.Stride, ID(position % o.Stride)
	}
	return o.ofLeaf(position - o.Positions() - 1)
}

// Positions returns the number of positions of non-leaf vertices.
func (o *Order) Positions() int { return o.Layout.Ranks() * o.Stride }

// leaf returns the number of a leaf among the leaves of all ranks; ofLeaf is its inverse.
func (o *Order) leaf(rank int, h ID) int { return rank*o.tail + int(h) - o.Inner }

func (o *Order) ofLeaf(number int) (rank int, h ID) {
	return number / o.tail, ID(o.Inner + number%o.tail)
}

// IDs64 reports whether positions, including the unused one, need more than 32 bits. It is the same on all ranks.
func (o *Order) IDs64() bool { return int64(o.Stride+o.tail)*int64(o.Layout.Ranks()) >= math.MaxUint32 }

// countedDegrees is the bound of the degrees that degreeOrder counts. Few vertices have higher degrees.
const countedDegrees = 1 << 12

// degreeCounts are the vertices of a worker's labels, by degree.
type degreeCounts struct {
	next [countedDegrees]uint32 // by degree: vertices; then the id of the next one
	high []graph.Local          // with higher degrees
}

// degreeOrder numbers the vertices of non-zero degree by falling degree and, for equal degrees, by label. degrees are
// in label order. It is a counting sort, except for the highest degrees, which are compared.
func degreeOrder(degrees []uint32, workers int) (idOf []ID, localOf []graph.Local) {
	counts := make([]degreeCounts, workers)
	par.Each(workers, func(w int) {
		lo, hi := par.Share(len(degrees), w, workers)
		for l, d := range degrees[lo:hi] {
			if d < countedDegrees {
				counts[w].next[d]++
			} else {
				counts[w].high = append(counts[w].high, graph.Local(lo+l))
			}
		}
	})
	var high []graph.Local
	for w := range counts {
		high = append(high, counts[w].high...)
	}
	slices.SortStableFunc(high, func(a, b graph.Local) int { return cmp.Compare(degrees[b], degrees[a]) })
	ids := uint32(len(high))
	for d := countedDegrees - 1; d > 0; d-- {
		for w := range counts {
			ids, counts[w].next[d] = ids+counts[w].next[d], ids
		}
	}
	idOf = hugepage.Make[ID](len(degrees))
	localOf = hugepage.Make[graph.Local](int(ids))
	par.Each(workers, func(w int) {
		next := &counts[w].next
		lo, hi := par.Share(len(degrees), w, workers)
		for l, d := range degrees[lo:hi] {
			switch {
			case d == 0:
				idOf[lo+l] = NoID
			case d < countedDegrees:
				idOf[lo+l], localOf[next[d]] = ID(next[d]), graph.Local(lo+l)
				next[d]++
			}
		}
	})
	for h, l := range high {
		idOf[l], localOf[h] = ID(h), l
	}
	return idOf, localOf
}
