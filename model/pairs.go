package model

import "math"

// push is what a top-down level sends. A rank sends a vertex of another one's at most once, and only if it does not
// know that it was reached: what it knows is what was gathered last.
func (x *exchange) push(w wave, t int) {
	g, l := x.g, w.levels[t]
	hits := g.hitsBy(l.vertices, 1/x.ranks)
	weights := make([]float64, len(g.classes)) // pairs by the class of their vertex
	for i, c := range g.classes {
		weights[i] = x.ranks * c.labels * x.inCore(i) * math.Exp(-x.told[i]) * -math.Expm1(-hits[i])
	}
	if known := sum(x.told); t > 0 && known == 0 { // children lead back to parents, which others do not know yet
		for k, parents := range x.frontier(w.levels[t-1]) {
			children := sum(x.frontier(l)) / sum(x.frontier(w.levels[t-1]))
			weights[k] += parents * x.ranks * -math.Expm1(-children/x.ranks)
		}
	}
	pairs := sum(weights)
	bytes := x.pairBytes(w, t, pairs, x.headBytes(weights))
	messages := x.spread(sum(x.frontier(l))) * x.spread(pairs/x.spread(sum(x.frontier(l))))
	bytes += messages * varint(bytes/max(messages, 1)) // a message begins with the length of its bin
	x.exchanged(PairsForm, bytes, messages)
}

// pairBytes is the length of all pairs, in runs of one parent for one rank. A run has the lowest vertex, whose length
// is head where it is the only one, the parent, and then gaps: as even as rows are taken to be.
func (x *exchange) pairBytes(w wave, t int, pairs, head float64) (bytes float64) {
	share := min(pairs/max(x.edges(w, t), 1), 1) // of the edges, those that are pairs
	for k, parents := range x.frontier(w.levels[t]) {
		if parents == 0 {
			continue
		}
		each := x.g.degreeOf(w, t, k) * x.coreDegrees[k] * share
		runs := x.spread(each)
		lowest := 1 + math.Pow(max(head-1, 0), each/max(runs, 1e-9))
		density := each / x.core
		gap := 1 + math.Exp(-64*density) + math.Exp(-8192*density)
		bytes += parents * (runs*(lowest+x.idBytes(k, 128)) + max(each-runs, 0)*gap)
	}
	return bytes
}

// headBytes is the mean length of twice a hub id.
func (x *exchange) headBytes(weights []float64) float64 {
	bytes := 0.0
	for k, weight := range weights {
		bytes += weight * x.idBytes(k, 64)
	}
	return bytes / max(sum(weights), 1e-9)
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

// spread is how many ranks have one of so many things that are dealt out evenly.
func (x *exchange) spread(things float64) float64 { return x.ranks * -math.Expm1(-things/x.ranks) }

// exchanged adds messages between ranks drawn at random.
func (x *exchange) exchanged(form string, bytes, messages float64) {
	x.add(form, BetweenTier, bytes*x.shareBetween, messages*x.shareBetween)
	x.add(form, InsideTier, bytes*x.shareInside, messages*x.shareInside)
}

// labels is what the relabelling sends: a parent's hub id to its owner, and its place among the owner's labels back.
func (x *exchange) labels() {
	place := 0.0
	for reach, n := 1.0, x.g.Labels/x.ranks; reach < n; reach *= 128 {
		place += min((n-reach)/n, 1)
	}
	labels, questions, unasked := 0.0, 0.0, 1.0 // the last: share of pairs of ranks without a question
	for _, a := range x.asked {
		labels += a.vertices
		questions += a.vertices * a.idBytes
		owners := x.spread(a.parents)
		unasked *= 1 - owners/x.ranks*-math.Expm1(-a.vertices/(x.ranks*max(owners, 1)))
	}
	messages := x.ranks * x.ranks * (1 - unasked)
	x.exchanged(LabelsForm, questions, messages)
	x.exchanged(LabelsForm, labels*place, messages)
}

// pushed is the group of those that a frontier finds top-down.
func (x *exchange) pushed(w wave, t int) group {
	a := group{vertices: sum(x.frontier(w.levels[t+1])), parents: sum(x.frontier(w.levels[t]))}
	edges := 0.0
	for k, parents := range x.frontier(w.levels[t]) {
		if parents > 0 {
			n := parents * x.g.degreeOf(w, t, k)
			edges += n
			a.idBytes += n * x.idBytes(k, 128)
		}
	}
	a.idBytes /= max(edges, 1e-9)
	return a
}

// pulled is the group of those vertices of the core that a bottom-up level finds by another neighbour than their first.
// How many neighbours a vertex has in each class that no frontier had before follows from the classes; each is in this
// frontier by the share of its class. The first is the one with the lowest hub id. Each hub id is that of a vertex on
// each rank: among classes which share it, any may come first.
func (x *exchange) pulled(l waveLevel) group {
	a := group{parents: sum(x.frontier(l))}
	shares := make([]float64, len(l.vertices))
	for j, c := range x.g.classes {
		if left := c.labels - l.visited[j] + l.vertices[j]; left > 0 {
			shares[j] = min(l.vertices[j]/left, 1)
		}
	}
	weight := 0.0
	for i, c := range x.g.classes {
		v := l.neighbours(x, i, shares)
		missed := c.labels * math.Exp(-l.missed[i])
		a.vertices += missed * max(-math.Expm1(-v.hits)-v.first, 0)
		weight += missed * v.hits
		a.idBytes += missed * v.idBytes
	}
	a.idBytes /= max(weight, 1e-9)
	return a
}

// neighbours is what a vertex of one class, which no frontier has found, meets in a frontier that has these shares of
// what was left of each class.
type neighbours struct {
	hits    float64 // how many it has there
	first   float64 // probability that the first is there
	idBytes float64 // length of the hub ids of all these
}

func (l waveLevel) neighbours(x *exchange, class int, shares []float64) (v neighbours) {
	none := 1.0                    // no neighbour with a lower hub id
	rates, there, id := 0., 0., 0. // of those with the hub id: how many it has, how many of them there
	for j, p := range x.g.joined[class] {
		left := x.g.classes[j].labels - l.visited[j] + l.vertices[j]
		rate := -max(left, 0) * math.Log1p(-min(p, 1-1e-9))
		v.hits += rate * shares[j]
		v.idBytes += rate * shares[j] * x.idBytes(j, 128)
		if x.first[j] >= id+1 && rates > 0 {
			v.first += none * -math.Expm1(-rates) * there / rates
			none *= math.Exp(-rates)
			rates, there, id = 0, 0, x.first[j]
		}
		rates += rate
		there += rate * shares[j]
	}
	if rates > 0 {
		v.first += none * -math.Expm1(-rates) * there / rates
	}
	return v
}
