package model

import (
	"math"
	"math/rand/v2"
)

// A wave is one search of the official graph, drawn by chance from its probabilities: of each level, how many vertices
// of each class it has.
//
// A vertex of class i has a given vertex of class j for a neighbour with a probability p; it is no neighbour of any
// of f such vertices with (1-p)^f. The root is drawn as search keys are, among the vertices with an edge. How many new
// vertices of a class a level finds is drawn too, which matters as long as frontiers are small: most roots have few
// edges, and the next level depends on whether one of these leads to a hub. Beyond that a search is nearly its mean.
// That vertices of a class have their ones at different places, and so not the same neighbours, is left out.
type wave struct {
	root   int
	levels []waveLevel
}

// waveLevel is a frontier: vertices by class, and what is known of their class when it is expanded.
type waveLevel struct {
	vertices []float64 // in the frontier
	core     []float64 // of these, those in the core
	visited  []float64 // with the frontier
	missed   []float64 // -ln of the probability that a vertex has no neighbour in any frontier before this one
	hits     []float64 // what this frontier adds to that
}

// count is how many vertices the frontier has.
func (l waveLevel) count() float64 { return sum(l.vertices) }

// after tells what is missed when the frontier has been expanded.
func (l waveLevel) after() []float64 { return added(l.missed, l.hits) }

// core is how many of the vertices that a level finds are in the core, by class. A leaf is found when the frontier has
// its one neighbour: as likely as that neighbour is to be in it.
func (g *Graph) core(l waveLevel, found []float64) []float64 {
	core := clone(found)
	for k, c := range g.classes {
		if c.all > 0 {
			leaves := c.labels * c.ends * math.Exp(-c.ends) * l.hits[k] / c.all
			core[k] = max(core[k]-min(leaves, found[k]), 0)
		}
	}
	return core
}

// drawWave draws a search.
func (g *Graph) drawWave(rng *rand.Rand) wave {
	n := len(g.classes)
	w := wave{root: pick(rng, n, func(k int) float64 { return g.classes[k].vertices })}
	l := waveLevel{vertices: make([]float64, n), visited: make([]float64, n), missed: make([]float64, n)}
	l.vertices[w.root]++
	l.core = clone(l.vertices)
	for l.count() >= 1 {
		for k, v := range l.vertices {
			l.visited[k] += v
		}
		l.hits = g.hitsOf(l.vertices)
		found := make([]float64, n)
		for k := range found {
			left := max(g.classes[k].labels-l.visited[k], 0)
			found[k] = binomial(rng, left, -math.Expm1(-l.hits[k]))
		}
		if len(w.levels) == 0 && sum(found) == 0 { // the root has an edge
			found[pick(rng, n, func(k int) float64 { return g.classes[k].labels * l.hits[k] })]++
		}
		w.levels = append(w.levels, l)
		l = waveLevel{vertices: found, core: g.core(l, found), visited: clone(l.visited), missed: l.after()}
	}
	return w
}

// hitsOf is, for a vertex of each class, -ln of the probability that it has no neighbour among so many of each class.
func (g *Graph) hitsOf(vertices []float64) []float64 { return g.hitsBy(vertices, 1) }

// hitsBy is the same where each of them counts with a probability, such as that of being on a given rank.
func (g *Graph) hitsBy(vertices []float64, chance float64) []float64 {
	hits := make([]float64, len(vertices))
	for i := range hits {
		for j, f := range vertices {
			if f > 0 {
				hits[i] -= f * math.Log1p(-chance*min(g.joined[i][j], 1-1e-9))
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

// binomial draws how many of n things happen, each with probability p: one by one, or about so.
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
	case mean < rare: // Poisson, by the times between what happens
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

func clone(x []float64) []float64 { return append([]float64(nil), x...) }

// added is the sum of two lists, element by element.
func added(x, y []float64) []float64 {
	z := clone(x)
	for i, v := range y {
		z[i] += v
	}
	return z
}
