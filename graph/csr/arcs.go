// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"g500/graph"
	"g500/internal/prefetch"
)

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
func (b *Builder) numberArcs(in graph.HostWeightedTuples) error {
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
