package model

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A drawnSearch is a random search of the official graph: the number of vertices of each class in each level.
//
// A vertex of class i has a given vertex of class j for a neighbour with a probability p; it has none of f such
// vertices for a neighbour with (1-p)^f. The root is a random vertex with an edge. The number of new vertices of a
// class in a level is random too, which matters for small frontiers: most roots have few edges, and the next level
// depends on whether one of these leads to a vertex of high degree. The draw ignores that vertices of one class have
// different neighbours.
type drawnSearch []drawnLevel

// drawnLevel is a frontier by class, and the state of the classes when it is expanded.
type drawnLevel struct {
	vertices []float64 // in the frontier
	inner    []float64 // of these, vertices of the non-leaf subgraph
	visited  []float64 // so far, the frontier included
	missed   []float64 // -ln of the probability that a vertex has no neighbour in any earlier frontier
	hits     []float64 // increase of missed by this frontier
}

// after returns missed when the frontier has been expanded.
func (l drawnLevel) after() []float64 {
	sums := slices.Clone(l.missed)
	for i, hits := range l.hits {
		sums[i] += hits
	}
	return sums
}

// innerOf returns how many of the vertices that a level finds are no leaves, by class. A leaf is found if the frontier
// has its only neighbour.
func (g *Graph) innerOf(l drawnLevel, found []float64) []float64 {
	inner := slices.Clone(found)
	for k, c := range g.classes {
		if c.all > 0 {
			leaves := c.labels * c.ends * math.Exp(-c.ends) * l.hits[k] / c.all
			inner[k] = max(inner[k]-min(leaves, found[k]), 0)
		}
	}
	return inner
}

func (g *Graph) drawSearch(rng *rand.Rand) (s drawnSearch) {
	n := len(g.classes)
	l := drawnLevel{vertices: make([]float64, n), visited: make([]float64, n), missed: make([]float64, n)}
	root := pick(rng, n, func(k int) float64 { return g.classes[k].vertices })
	l.vertices[root]++
	l.inner = slices.Clone(l.vertices)
	for sum(l.vertices) >= 1 {
		for k, v := range l.vertices {
			l.visited[k] += v
		}
		l.hits = g.hitsOf(l.vertices)
		found := make([]float64, n)
		for k := range found {
			left := max(g.classes[k].labels-l.visited[k], 0)
			found[k] = binomial(rng, left, -math.Expm1(-l.hits[k]))
		}
		if len(s) == 0 && sum(found) == 0 { // the root has an edge
			found[pick(rng, n, func(k int) float64 { return g.classes[k].labels * l.hits[k] })]++
		}
		s = append(s, l)
		l = drawnLevel{vertices: found, inner: g.innerOf(l, found), visited: slices.Clone(l.visited), missed: l.after()}
	}
	return s
}

// hitsOf returns, by class, -ln of the probability that a vertex has no neighbour among the given vertices.
func (g *Graph) hitsOf(vertices []float64) []float64 {
	hits := make([]float64, len(vertices))
	for i := range hits {
		for j, f := range vertices {
			if f > 0 {
				hits[i] -= f * math.Log1p(-min(g.joined[i][j], 1-1e-9))
			}
		}
	}
	return hits
}

// pick draws one of n by their weights.
func pick(rng *rand.Rand, n int, weight func(int) float64) int {
	all := 0.0
	for i := range n {
		all += weight(i)
	}
	left := rng.Float64() * all
	for i := range n {
		if left -= weight(i); left < 0 {
			return i
		}
	}
	return n - 1
}

// binomial draws the number of successes in n trials of probability p: exactly for few trials, otherwise by a Poisson
// or a normal distribution.
func binomial(rng *rand.Rand, n, p float64) float64 {
	const few, rare = 64, 50
	n = math.Round(n)
	mean := n * p
	switch {
	case p >= 1:
		return n
	case n <= few:
		k := 0.0
		for range int(n) {
			if rng.Float64() < p {
				k++
			}
		}
		return k
	case mean < rare: // Poisson, by the intervals between events
		k := 0.0
		for t := rng.ExpFloat64(); t < mean; t += rng.ExpFloat64() {
			k++
		}
		return min(k, n)
	}
	return min(max(math.Round(mean+rng.NormFloat64()*math.Sqrt(mean*(1-p))), 0), n)
}

func sum(x []float64) (all float64) {
	for _, v := range x {
		all += v
	}
	return all
}

// degreeOf returns the mean number of neighbours of the vertices of class k in frontier t. Vertices with many are found
// first: if each neighbour is in the frontiers so far with a probability q, missed vertices have (1-q) of the mean.
func (g *Graph) degreeOf(s drawnSearch, t, k int) float64 {
	c := g.classes[k]
	mean := c.edges / c.labels
	if t == 0 {
		return mean / -math.Expm1(-c.all)
	}
	from, to := s[t-1].missed[k], s[t].missed[k]
	chance := math.Exp(-from) * -math.Expm1(from-to)
	if chance <= 0 {
		return mean
	}
	ends := (1-from/c.all)*math.Exp(-from) - (1-to/c.all)*math.Exp(-to)
	return max(mean*ends/chance, 1)
}

// innerShares returns, by class, the share of the edges that lead to vertices of the non-leaf subgraph and to the
// given share of the leaves.
func (g *Graph) innerShares(leaves float64) (shares []float64) {
	for k := range g.classes {
		inner, all := 0.0, 0.0
		for j, edges := range g.between[k] {
			others := g.classes[j].others()
			inner += edges * (others + leaves*(1-others))
			all += edges
		}
		shares = append(shares, inner/all)
	}
	return shares
}
