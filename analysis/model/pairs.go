package model

import "math"

// push is what a top-down level sends, of whose pairs the engine knows that they are no more than most. A rank sends a
// vertex of another one's at most once, and only if it does not know that it was reached.
func (x *exchange) push(w wave, t int, pushed bool, most float64) {
	weights := x.pairsOf(w, t, pushed)
	pairs, frontier := sum(weights), sum(x.frontier(w.levels[t]))
	toHosts := x.narrow() && x.bounds.PairsToHosts(int64(most), int64(x.ranks))
	to, together := x.ranks, 1.0 // how many others there are bins for; ranks of each
	if toHosts {
		to, together = x.hosts.n, x.hosts.each
	}
	senders := spread(frontier, x.ranks)
	m := messages{senders: senders / x.ranks, chance: spread(pairs/senders, to) / to}
	if m.chance == 0 {
		return
	}
	m.bytes = to * x.binBytes(w, t, weights, together) / (senders * m.chance * to)
	m.bytes += varint(m.bytes) // it begins with the length of its bin
	if toHosts {
		x.toHosts(PairsForm, m, m.each())
	} else {
		x.toRanks(PairsForm, m)
	}
}

// narrow reports whether pairs and labels may go from host to host.
func (x *exchange) narrow() bool {
	return x.hosts.n > 1 && x.hosts.each > 1 && x.stride*x.ranks < 1<<32
}

// pairsOf is how many pairs ranks send, by the class of their vertex. Of vertices whose bits are told, a rank knows
// those that were told last. Of others it does not; but neighbours of a frontier are in none before the last. Nor in
// the last where it was found bottom-up, for late vertices: they found no hub, so all their neighbours were asked
// about.
func (x *exchange) pairsOf(w wave, t int, pushed bool) []float64 {
	g, l := x.g, w.levels[t]
	others, earlier := clone(x.allTold), t-1
	if pushed {
		earlier--
	}
	if earlier >= 0 {
		for k, missed := range w.levels[earlier].missed {
			others[k] = max(others[k], missed)
		}
	}
	hits := g.hitsBy(l.vertices, 1/x.ranks)
	weights := make([]float64, len(g.classes))
	for _, s := range x.order {
		for _, m := range s.classes {
			unknown := s.told*g.missing(m.class, s.degree, x.told) + (1-s.told)*g.missing(m.class, s.degree, others)
			weights[m.class] += x.ranks * m.vertices * unknown * (1 - g.missing(m.class, s.degree, hits))
		}
	}
	if known := sum(x.told); t > 0 && known == 0 { // children lead back to parents, which others do not know yet
		for k, parents := range x.frontier(w.levels[t-1]) {
			children := sum(x.frontier(l)) / sum(x.frontier(w.levels[t-1]))
			weights[k] += parents * x.ranks * -math.Expm1(-children/x.ranks)
		}
	}
	return weights
}

// binBytes is the length of all pairs for the ranks of one bin, which so many share. In a row of a parent they have as
// many of the vertices of a class as it joins to the parent's, but for those which are no pairs.
func (x *exchange) binBytes(w wave, t int, weights []float64, ranks float64) (bytes float64) {
	frontier := x.frontier(w.levels[t])
	rates := make([]float64, len(frontier)) // of a parent's edges to a vertex, over the mean of its class
	for k, parents := range frontier {
		if c := x.g.classes[k]; parents > 0 {
			rates[k] = x.g.degreeOf(w, t, k) * c.labels / c.edges
		}
	}
	shares := make([]float64, len(frontier)) // of the edges to a class, those that are pairs
	for j, c := range x.g.classes {
		edges := 0.0
		for k, parents := range frontier {
			edges += parents * rates[k] * x.g.joined[k][j]
		}
		if core := c.labels * x.inCore(j); core*edges > 0 {
			shares[j] = weights[j] / (core * edges)
		}
	}
	for k, parents := range frontier {
		if parents == 0 {
			continue
		}
		runs := make([]run, len(shares))
		for j, c := range x.g.classes {
			runs[j] = run{c.labels * x.inCore(j) / x.ranks * ranks, min(x.g.joined[k][j]*rates[k]*shares[j], 1)}
		}
		bytes += parents * rowBytes(runs, x.idBytes(k, 128))
	}
	return bytes
}

// rowBytes is the length of the pairs of one parent in a bin (bfs/bins.go): twice the number of the lowest vertex, the
// parent, and then twice the gaps.
func rowBytes(runs []run, parent float64) (bytes float64) {
	const pieces = 8
	d := densityOf(runs)
	for i, r := range runs {
		for piece := range pieces {
			if r.ids*r.chance == 0 {
				break
			}
			x := d.ends[i] + r.ids*(float64(piece)+0.5)/pieces
			lowest := math.Exp(-d.before(x))
			length := 1 + lowest*parent
			for reach := 64.0; reach < x; reach *= 128 {
				length += math.Exp(d.before(x-reach) - d.before(x))
			}
			bytes += length * r.ids * r.chance / pieces
		}
	}
	return bytes
}

// idBytes is the mean length of a hub id of a class, of which a byte holds so many.
func (x *exchange) idBytes(class int, first float64) float64 {
	from, n := x.first[class], max(x.g.classes[class].core()/x.ranks, 1e-9)
	bytes := 1.0
	for reach := first; reach < from+n; reach *= 128 {
		bytes += min((from+n-reach)/n, 1)
	}
	return bytes
}
