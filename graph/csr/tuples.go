// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"math"

	"g500/graph"
	"g500/internal/prefetch"
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
	for _, part := range prefetch.Parts(s.edges[lo:hi]) {
		for _, e := range part {
			if u, v := e.U(), e.V(); u != v {
				counts[g.block(u)]++
				counts[g.block(v)]++
			}
		}
	}
}

func (s tuples[E]) write(lo, hi int, to *writer[E]) {
	var b batch[E]
	s.eachPart(lo, hi, func(edges []graph.Edge, weights []float32) { to.put(&b, b.fill(edges, weights)) })
}

// eachPart calls body for the tuples [lo, hi), at most prefetch.Grain at a time, with their weights or nil.
func (s tuples[E]) eachPart(lo, hi int, body func(edges []graph.Edge, weights []float32)) {
	for at, part := range prefetch.Parts(s.edges[lo:hi]) {
		var weights []float32
		if s.weights != nil {
			prefetch.Ahead(s.weights, lo+at)
			weights = s.weights[lo+at:][:len(part)]
		}
		body(part, weights)
	}
}

// fill puts the ends of at most prefetch.Grain tuples into a batch, and returns their number. weights may be nil.
func (b *batch[E]) fill(edges []graph.Edge, weights []float32) int {
	n := 0
	for i, e := range edges {
		weight := E(0)
		if weights != nil {
			weight = E(highHalf(weights[i]))
		}
		u, v := e.U(), e.V()
		b.vertices[n], b.entries[n] = u, weight|E(v)
		b.vertices[n+1], b.entries[n+1] = v, weight|E(u)
		if u != v {
			n += 2
		}
	}
	return n
}

// highHalf returns the bits of a weight in the high half, without the sign of a negative zero. They have the order of
// weights, which are not negative.
func highHalf(weight float32) uint64 {
	const sign = 1 << 31
	return uint64(math.Float32bits(weight)&^sign) << 32
}

// arcs is the source of one end of each of a rank's arcs, except self-loops: at the vertex that the arc leaves or, with
// source and target exchanged, at the one that it enters.
type arcs[E entry] struct {
	tuples[E]
	exchanged bool
}

// ends returns the vertex of an arc's end, and the other vertex.
func (s arcs[E]) ends(e graph.Edge) (at, other graph.Global) {
	if s.exchanged {
		return e.V(), e.U()
	}
	return e.U(), e.V()
}

func (s arcs[E]) count(lo, hi int, counts []int) {
	g := s.grid
	for _, part := range prefetch.Parts(s.edges[lo:hi]) {
		for _, e := range part {
			if at, other := s.ends(e); at != other {
				counts[g.block(at)]++
			}
		}
	}
}

func (s arcs[E]) write(lo, hi int, to *writer[E]) {
	var b batch[E]
	s.eachPart(lo, hi, func(edges []graph.Edge, weights []float32) {
		n := 0
		for i, e := range edges {
			weight := E(0)
			if weights != nil {
				weight = E(highHalf(weights[i]))
			}
			at, other := s.ends(e)
			b.vertices[n], b.entries[n] = at, weight|E(other)
			if at != other {
				n++
			}
		}
		to.put(&b, n)
	})
}

// numberArcs is Number for arcs: b and b.opposite deal the two ends of each arc. Ends at the vertex that an arc leaves
// become entries of the row of the vertex that it enters, so b makes the rows of sources.
func (b *Builder) numberArcs(in graph.HostTuples) error {
	opposite := *b
	b.opposite = &opposite
	if err := b.count(in, oneEnd); err != nil {
		return err
	}
	if err := b.opposite.count(in, otherEnd); err != nil {
		return err
	}
	b.degrees, b.opposite.degrees = b.opposite.degrees, b.degrees // of the rows instead of the ends that were dealt
	return nil
}
