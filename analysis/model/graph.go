package model

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// EdgeFactor is the number of edge tuples per label in the official graph.
const EdgeFactor = 16

// MaxScale is the largest scale of the generator.
const MaxScale = 47

// Graph holds the expected counts of the official graph of a scale. They follow from the probabilities by which the
// generator draws a tuple bit by bit: the two labels' bits are (0,0) with 0.57, (0,1) and (1,0) with 0.19 each and
// (1,1) with 0.05 (specification, "The Kronecker Generator"). Before scrambling, labels with the same number of ones
// are equivalent: they form a class, and there are scale+1 classes. Class 0 is the vertex of highest degree, and each
// class has about 1/3 of the degree of the class before.
type Graph struct {
	Scale      int     `json:"scale"`
	Labels     float64 `json:"labels"`     // N
	Tuples     float64 `json:"tuples"`     // M
	Vertices   float64 `json:"vertices"`   // V: labels with an edge to another vertex
	Edges      float64 `json:"edges"`      // E: directed, without duplicates and self-loops
	Inner      float64 `json:"inner"`      // non-leaf vertices: two tuple ends or more, without self-loops (ADR 17)
	InnerEdges float64 `json:"core_edges"` // directed edges between them

	classes     []class
	between     [][]float64   // directed edges from vertices of one class to vertices of another
	joined      [][]float64   // probability that a given vertex of one class and one of another are neighbours
	searches    []drawnSearch // random searches of the graph
	oneGPU      *means        // their means on one GPU
	severalGPUs *means        // and on several
}

// class is the vertices with the same number of ones in their labels.
type class struct {
	labels   float64 // with an edge or without
	vertices float64 // with an edge
	edges    float64 // that leave them
	ends     float64 // mean number of tuple ends of a label, without self-loops
	all      float64 // -ln of the probability that a label has no edge
}

// others returns the probability that a vertex with a given tuple end has others too, and so is no leaf.
func (c class) others() float64 { return -math.Expm1(-c.ends) }

// inner returns the number of vertices with two tuple ends or more; tuple ends are about Poisson distributed.
func (c class) inner() float64 { return c.labels * (c.others() - c.ends*math.Exp(-c.ends)) }

const both0, one1, both1 = 0.57, 0.19, 0.05

func scaleError(scale int) error {
	return fmt.Errorf("model: scale %d is out of range: choose 1 to %d", scale, MaxScale)
}

// drawnSearches is the number of searches to draw: their means are within about 2%.
const drawnSearches = 256

// NewGraph derives the graph of a scale from 1 to MaxScale, and draws the same searches in each run.
func NewGraph(scale int) (*Graph, error) {
	if scale < 1 || scale > MaxScale {
		return nil, scaleError(scale)
	}
	labels := math.Exp2(float64(scale))
	g := &Graph{Scale: scale, Labels: labels, Tuples: EdgeFactor * labels}
	everyLabel := make([]float64, scale+1)
	for ones := range scale + 1 {
		g.addClass(ones)
		everyLabel[ones] = g.classes[ones].labels
	}
	for k, c := range g.classes {
		for other, edges := range g.between[k] {
			g.InnerEdges += edges * c.others() * g.classes[other].others()
		}
	}
	for k, all := range g.hitsOf(everyLabel) {
		g.classes[k].all = all
	}
	rng := rand.New(rand.NewPCG(uint64(scale), 0))
	for range drawnSearches {
		g.searches = append(g.searches, g.drawSearch(rng))
	}
	g.severalGPUs = g.meansBy(deviceAlpha)
	if g.oneGPU = g.severalGPUs; g.Inner >= segmentInner {
		g.oneGPU = g.meansBy(segmentAlpha)
	}
	return g, nil
}

// addClass adds the class of labels with that many ones.
func (g *Graph) addClass(ones int) {
	p := touch(g.Scale, ones)
	c := class{labels: choose(g.Scale, ones), ends: g.Tuples * p}
	c.vertices = c.labels * g.drawn(p)
	to := g.neighbours(ones)
	joined := make([]float64, len(to))
	for other := range to {
		joined[other] = to[other] / choose(g.Scale, other)
		to[other] *= c.labels
		c.edges += to[other]
	}
	g.classes, g.between, g.joined = append(g.classes, c), append(g.between, to), append(g.joined, joined)
	g.Vertices += c.vertices
	g.Inner += c.inner()
	g.Edges += c.edges
}

// drawn returns the probability that at least one tuple has a property that a single one has with probability p.
func (g *Graph) drawn(p float64) float64 { return -math.Expm1(g.Tuples * math.Log1p(-p)) }

// touch returns the probability that a tuple joins a given label with that many ones to another label.
func touch(scale, ones int) float64 {
	zeros := scale - ones
	return 2 * (power(both0+one1, zeros)*power(one1+both1, ones) - power(both0, zeros)*power(both1, ones))
}

// neighbours returns the expected number of neighbours in each class of a label with that many ones.
func (g *Graph) neighbours(ones int) []float64 {
	zeros := g.Scale - ones
	to := make([]float64, g.Scale+1)
	for kept := range ones + 1 { // ones of both labels
		for turned := range zeros + 1 { // ones of the neighbour only
			count := choose(ones, kept) * choose(zeros, turned)
			if kept == ones && turned == 0 {
				count-- // the label itself
			}
			p := power(both1, kept) * power(one1, ones-kept+turned) * power(both0, zeros-turned)
			to[kept+turned] += count * g.drawn(2*p) // either end may come first
		}
	}
	return to
}

// Prefix counts the vertices of the first classes, which have about the highest degrees.
type Prefix struct {
	Vertices float64 `json:"vertices"`
	FarEnds  float64 `json:"far_ends"` // share of the edges that lead to one of them
	Light    float64 `json:"light"`    // share of the edges between two other vertices
}

// Prefix counts the vertices of that many classes, and their edges.
func (g *Graph) Prefix(classes int) Prefix {
	var h Prefix
	for k, c := range g.classes {
		if k < classes {
			h.Vertices += c.vertices
			h.FarEnds += c.edges / g.Edges
			continue
		}
		for other := classes; other <= g.Scale; other++ {
			h.Light += g.between[k][other] / g.Edges
		}
	}
	return h
}

// Covered returns the share of the edges that lead to one of the first vertices in degree order. It is a little low,
// because it spreads the edges of a class evenly.
func (g *Graph) Covered(first float64) float64 {
	edges := 0.0
	for _, c := range g.classes {
		if c.vertices >= first {
			return (edges + c.edges*first/c.vertices) / g.Edges
		}
		first -= c.vertices
		edges += c.edges
	}
	return 1
}

func power(x float64, n int) float64 { return math.Pow(x, float64(n)) }

// choose returns the binomial coefficient n over k.
func choose(n, k int) float64 {
	product := 1.0
	for i := range k {
		product = product * float64(n-i) / float64(i+1)
	}
	return product
}
