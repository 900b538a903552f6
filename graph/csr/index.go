package csr

// The rows, columns and bitmaps of a rank name a vertex by its index there:
//
//	part of rank 0 | part of rank 1 | ... | part of the last rank | ghosts | None | leaves of all ranks
//
// The part of another rank is its first Replicated ids; the own part is the whole core. Ghosts are the other core
// vertices of other ranks that this rank's rows name. So a bitmap has a bit for each own vertex, each replicated
// one, and at most for each own edge: with the ranks only the replicated bits grow (ADR 33). If all are replicated,
// there are no ghosts, and indices are positions.

// Part is where the index of a rank's vertices begins and ends, but for those of ghosts.
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

// parts is the number of indices in all parts.
func (o *Order) parts() int { return (o.Layout.Ranks()-1)*o.Replicated + o.Stride }

// Index is that of an owned vertex.
func (g *Graph[P]) Index(h ID) P {
	if int(h) < g.Core {
		return P(g.Rank*g.Replicated + int(h))
	}
	return g.None() + 1 + P(g.leaf(g.Rank, h))
}

// Find is the index of a rank's vertex, if it has one here.
func (g *Graph[P]) Find(rank int, h ID) (p P, has bool) {
	switch {
	case int(h) >= g.Core:
		return g.None() + 1 + P(g.leaf(rank, h)), true
	case rank == g.Rank || int(h) < g.Replicated:
		from, _ := g.Part(rank)
		return P(from + int(h)), true
	}
	number, is := g.ghosts.find(rank, h)
	return P(g.parts() + number), is
}

// Owner is the rank that owns the vertex with an index, and its id there. p is not None.
func (g *Graph[P]) Owner(p P) (rank int, h ID) {
	if g.Replicated == g.Stride {
		return g.Vertex(int(p))
	}
	return g.ownerOf(p)
}

// ownerOf is Owner where there are ghosts.
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

// IsGhost reports whether an index is that of a ghost.
func (g *Graph[P]) IsGhost(p P) bool { return p >= P(g.parts()) && p < g.None() }

// IsReplicated reports whether an index belongs to a replicated vertex.
func (g *Graph[P]) IsReplicated(p P) bool {
	_, end := g.Part(g.Rank)
	rest := g.Stride - g.Replicated // at the end of the own part
	return p < P(g.parts()) && p-P(end-rest) >= P(rest)
}

// Ghosts are the ids of a rank's ghosts, which rise, and the index of the first. Others follow.
func (g *Graph[P]) Ghosts(rank int) (ids []ID, first P) {
	ids, from := g.ghosts.of(rank)
	return ids, P(g.parts() + from)
}

// None is the index of no vertex. It is the one behind those of all core vertices, so that a bitmap can have a bit for
// it that is never set.
func (g *Graph[P]) None() P { return P(g.parts() + len(g.ghosts.ids)) }
