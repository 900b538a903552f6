package model

import "math"

// pull adds a bottom-up level: queries of the vertices that find no parent in the bits that their rank has
// (bfs/queries.go), then the new bits. The frontier was pushed or not.
func (x *traffic) pull(s drawnSearch, t int, pushed bool) {
	if x.hubs < x.stride {
		kinds := x.kindsOf(s, t, pushed)
		queries := 0.0
		for _, k := range kinds {
			queries += k.queries
		}
		words := (x.nodes.n - 1) * x.ranks * (x.stride - x.hubs) / 8
		switch {
		case queries < 0.5:
		case x.bounds.QueriesPay(int64(queries), int64(words)):
			x.sums[x.step].queries += queries
			x.query(kinds)
		default:
			x.broadcast(s[t].missed, x.stride)
		}
	}
	x.broadcast(s[t].after(), x.hubs)
}

// kind is vertices of a class with the same degree whose bits are not replicated: their number, and the queries of all
// ranks about them.
type kind struct {
	stretch, class    int
	vertices, queries float64
}

// kindsOf returns the queries of a bottom-up level. Neighbours of a vertex that was not found are in no earlier
// frontier. One that is in this frontier is known to its owner, and to ranks that have pushed to it.
func (x *traffic) kindsOf(s drawnSearch, t int, pushed bool) (kinds []kind) {
	n := len(x.g.classes)
	known, unknown := make([]float64, n), make([]float64, n) // shares of the edges to each class
	before, now, owner := s[t-1].missed, s[t].missed, 1/x.ranks
	for i, part := range x.order {
		for _, m := range part.classes {
			j := m.class
			share := part.degree * m.vertices / (x.g.classes[j].labels * x.g.classes[j].ends)
			left, after := x.g.missing(j, part.degree-1, before), x.g.missing(j, part.degree-1, now)
			knowing := owner
			if pushed {
				knowing += (1 - owner) * x.pushers(s[t-1].hits[j])
			}
			known[j] += share * (left - after) * (part.replicated + (1-part.replicated)*knowing)
			if part.replicated < 1 {
				queried := share * (1 - part.replicated) * ((1-owner)*after + (1-knowing)*(left-after))
				unknown[j] += queried
				vertices := m.vertices * (1 - part.replicated) * x.g.missing(j, part.degree, before)
				kinds = append(kinds, kind{i, j, vertices, queried})
			}
		}
	}
	edges := x.openEdges(s[t], known, unknown)
	for i := range kinds {
		kinds[i].queries = edges[kinds[i].class] * kinds[i].queries
	}
	return kinds
}

// pushers returns the share of the ranks that have pushed to a vertex that the frontier has found.
func (x *traffic) pushers(hits float64) float64 {
	if hits == 0 {
		return 1 / x.ranks
	}
	return math.Expm1(-hits/x.ranks) / math.Expm1(-hits)
}

// openEdges returns the edges of open vertices to each class. A vertex is open if none of its known neighbours is in
// the frontier. Its neighbours in each class are Poisson distributed; a vertex without another neighbour is a leaf.
func (x *traffic) openEdges(l drawnLevel, known, unknown []float64) []float64 {
	edges := make([]float64, len(known))
	for i, c := range x.g.classes {
		rates, knownRate, unknownRate := x.g.rates(i), 0.0, 0.0
		for j, rate := range rates {
			knownRate += rate * known[j]
			unknownRate += rate * unknown[j]
		}
		left := max(c.all-l.missed[i], knownRate+unknownRate)
		open := c.labels * math.Exp(-l.missed[i]) * (math.Exp(-knownRate) - (1-x.leaves)*math.Exp(-left))
		for j, rate := range rates {
			edges[j] += open * rate
		}
	}
	return edges
}

// query adds queries and replies: the ranks of a node merge their queries and send each once, and owners reply with one
// bit per query (bfs/queries.go).
func (x *traffic) query(kinds []kind) {
	by := func(ranks float64) []run { return x.queried(kinds, ranks/(x.ranks-1)) }
	h := x.nodes
	own, theirs := by(1), by(h.each) // of a rank, and of a node, to another one
	mates := x.ranks * (h.each - 1)
	x.add(true, mates*gapBytes(own, x.ranks, 0), mates*anyOf(own, x.ranks))
	sent, bytes := anyOf(theirs, h.each), gapBytes(theirs, h.each, x.ranks*x.stride)
	x.forward(sent, bytes+sent*(h.each-1+varint(bytes)), 0)
	x.reply(expected(theirs), expected(by(h.each-1)))
}

// reply adds every rank's replies to that many queries of each other node, and of its own.
func (x *traffic) reply(theirs, own float64) {
	chance := -math.Expm1(-theirs)
	x.toNodes(messages{1, chance, bytesOfBits(theirs) / max(chance, 1e-300)}, bytesOfBits(own))
}

// replyToLeaves adds the bits of the neighbours of leaves that owners send at the end of a search (bfs/leaves.go).
func (x *traffic) replyToLeaves() {
	if x.hubs == x.stride {
		return
	}
	var kinds []kind
	for i, s := range x.order {
		for _, m := range s.classes {
			if vertices := m.vertices * (1 - s.replicated); vertices > 0 {
				kinds = append(kinds, kind{i, m.class, vertices, vertices * s.degree * (1 - x.innerShares[m.class])})
			}
		}
	}
	by := func(ranks float64) float64 { return expected(x.queried(kinds, ranks/x.ranks)) }
	x.reply(by(x.nodes.each), by(x.nodes.each-1))
}

// queried returns the ids of a rank that others with that share of all queries query.
func (x *traffic) queried(kinds []kind, share float64) []run {
	runs := []run{{x.hubs, 0}}
	last := -1
	for _, k := range kinds {
		s := x.order[k.stretch]
		if k.stretch != last {
			runs, last = append(runs, run{s.vertices() * (1 - s.replicated) / x.ranks, 0}), k.stretch
		}
		if k.vertices > 0 {
			r := &runs[len(runs)-1]
			r.chance += k.vertices / x.ranks * -math.Expm1(-k.queries/k.vertices*share) / r.ids
		}
	}
	return runs
}

// expected returns the expected number of bits in runs.
func expected(runs []run) (n float64) {
	for _, r := range runs {
		n += r.ids * r.chance
	}
	return n
}

// anyOf returns the probability that any of that many parts with these runs has a bit.
func anyOf(runs []run, parts float64) float64 { return -math.Expm1(-parts * expected(runs)) }

// bytesOfBits returns the mean bytes of a Poisson distributed number of bits.
func bytesOfBits(mean float64) (bytes float64) {
	if mean > 64 {
		return mean/8 + 7./16
	}
	chance, below := math.Exp(-mean), 0.0
	for n := range 256 {
		if n%8 == 0 {
			bytes += 1 - below - chance
		}
		below += chance
		chance *= mean / float64(n+1)
	}
	return bytes
}
