// SPDX-License-Identifier: Apache-2.0

package csr

// The rows, arrays and bitmaps of a rank use indices of vertices:
//
//	part of rank 0 | part of rank 1 | ... | part of the last rank | ghosts | None | leaves of all ranks
//
// The part of another rank has its first Replicated ids; the own part has all own non-leaf vertices. Ghosts are the
// other non-leaf vertices of other ranks that this rank's rows contain. Therefore a bitmap has at most one bit per own
// vertex, replicated vertex, and own edge; only the replicated bits grow with the number of ranks (ADR 33). If all
// vertices are replicated, there are no ghosts, and indices are positions.

// Part returns the first index of a rank's part and the one after its last.
func (o *Order) Part(rank int) (from, to int) {
	from = rank * o.Replicated
	switch {
	case rank == o.Rank:
		return from, from + o.Stride
	case rank > o.Rank:
		from += o.Stride - o.Replicated
	}
	return from, from + o.Replicated
}

// parts returns the number of indices in all parts.
func (o *Order) parts() int { return (o.Layout.Ranks()-1)*o.Replicated + o.Stride }

// Index returns the index of an owned vertex.
func (g *Graph[P]) Index(h ID) P {
	if int(h) < g.Inner {
		return P(g.Rank*g.Replicated + int(h))
	}
	return g.None() + 1 + P(g.leaf(g.Rank, h))
}

// Find returns the index of a rank's vertex, if it has one on this rank.
func (g *Graph[P]) Find(rank int, h ID) (p P, has bool) {
	switch {
	case int(h) >= g.Inner:
		return g.None() + 1 + P(g.leaf(rank, h)), true
	case rank == g.Rank || int(h) < g.Replicated:
		from, _ := g.Part(rank)
		return P(from + int(h)), true
	}
	number, is := g.ghosts.find(rank, h)
	return P(g.parts() + number), is
}

// Owner returns the rank that owns the vertex with an index, and its id there. p must not be None.
func (g *Graph[P]) Owner(p P) (rank int, h ID) {
	if g.Replicated == g.Stride {
		return g.Vertex(int(p))
	}
	return g.ownerOf(p)
}

// ownerOf is Owner if there may be ghosts.
func (g *Graph[P]) ownerOf(p P) (rank int, h ID) {
	at, parts := int(p), g.parts()
	switch own, end := g.Part(g.Rank); {
	case at > int(g.None()):
		return g.ofLeaf(at - int(g.None()) - 1)
	case at >= parts:
		return g.ghosts.owner(at - parts)
	case at >= end:
		at -= g.Stride - g.Replicated
	case at >= own:
		return g.Rank, ID(at - own)
	}
	return at / g.Replicated, ID(at % g.Replicated)
}

// IsGhost reports whether an index belongs to a ghost.
func (g *Graph[P]) IsGhost(p P) bool { return p >= P(g.parts()) && p < g.None() }

// IsReplicated reports whether an index belongs to a replicated vertex.
func (g *Graph[P]) IsReplicated(p P) bool {
	_, end := g.Part(g.Rank)
	rest := g.Stride - g.Replicated // indices at the end of the own part
	return p < P(g.parts()) && p-P(end-rest) >= P(rest)
}

// Ghosts returns the ids of a rank's ghosts in rising order, and the index of the first one. Their indices are
// consecutive.
func (g *Graph[P]) Ghosts(rank int) (ids []ID, first P) {
	ids, from := g.ghosts.of(rank)
	return ids, P(g.parts() + from)
}

// None returns the index that means no vertex: the one after the indices of all non-leaf vertices. Bitmaps have a bit
// for it, which is never set.
func (g *Graph[P]) None() P { return P(g.parts() + len(g.ghosts.ids)) }
