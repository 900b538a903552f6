package csr

import (
	"math"

	"g500/graph"
)

// tuples is the source of the ends of a rank's tuples, except self-loops. The entry of an end is the label of the other
// end, with the bits of the tuple's weight in the high half if there are weights.
type tuples[E entry] struct {
	grid
	edges   []graph.Edge
	weights []float32 // or nil
}

func (s tuples[E]) size() int { return len(s.edges) }

func (s tuples[E]) count(lo, hi int, counts []int) {
	g := s.grid
	for _, e := range s.edges[lo:hi] {
		if u, v := e.U(), e.V(); u != v {
			counts[g.block(u)]++
			counts[g.block(v)]++
		}
	}
}

func (s tuples[E]) write(lo, hi int, to *writer[E]) {
	g := s.grid
	for i, e := range s.edges[lo:hi] {
		u, v := e.U(), e.V()
		if u == v {
			continue
		}
		weight := E(0)
		if s.weights != nil {
			weight = E(weightBits(s.weights[lo+i]))
		}
		block := g.block(u)
		if end, full := to.put(block, g.row(u), weight|E(v)); full {
			to.flush(block, end)
		}
		block = g.block(v)
		if end, full := to.put(block, g.row(v), weight|E(u)); full {
			to.flush(block, end)
		}
	}
}

// weightBits returns the bits of a weight in the high half, without the sign of a negative zero. They have the order of
// weights, which are not negative.
func weightBits(weight float32) uint64 {
	const sign = 1 << 31
	return uint64(math.Float32bits(weight)&^sign) << 32
}
