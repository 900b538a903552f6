package model

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// EdgeFactor is that of the official graph: edge tuples per label.
const EdgeFactor = 16

// MaxScale is the largest scale that the generator knows.
const MaxScale = 47

// Graph is what to expect of the official graph of a scale. Everything follows from the probabilities by which the
// generator draws a tuple: bit by bit, the two labels' bits are (0,0) with 0.57, (0,1) and (1,0) with 0.19 each and
// (1,1) with 0.05 (specification, "The Kronecker Generator"). Before they are scrambled, labels with equally many ones
// are alike: they form a class, and there are scale+1 of them. Class 0 is the one vertex of highest degree, and each
// next class has about a third of the degree of the one before.
type Graph struct {
	Scale    int     `json:"scale"`
	Labels   float64 `json:"labels"`   // N
	Tuples   float64 `json:"tuples"`   // M
	Vertices float64 `json:"vertices"` // V: with an edge to another vertex
	Edges    float64 `json:"edges"`    // E: directed, each once, without self-loops
	Core     float64 `json:"core"`     // vertices with two tuple ends or more, self-loops not counted (ADR 17)
	CoreEnds float64 `json:"core_edges"`

	classes []class
	between [][]float64 // directed edges from vertices of one class to vertices of another
	joined  [][]float64 // probability that a given vertex of one class and one of another are neighbours
	waves   []wave      // searches of it, drawn by chance
	alone   *means      // of them on one GPU
	shared  *means      // and on several
}

// class is the vertices with the same number of ones.
type class struct {
	labels   float64 // all, with an edge or without
	vertices float64 // with an edge
	edges    float64 // that leave them
	ends     float64 // mean number of tuple ends of a label, self-loops not counted
	all      float64 // -ln of the probability that a label has no edge
}

// others is the probability that a vertex of the class which has one tuple end has others too, and so is in the core.
func (c class) others() float64 { return -math.Expm1(-c.ends) }

// core is how many vertices of the class have two tuple ends or more: of each alike many, about as Poisson says.
func (c class) core() float64 { return c.labels * (c.others() - c.ends*math.Exp(-c.ends)) }

const both0, one1, both1 = 0.57, 0.19, 0.05

func scaleError(scale int) error {
	return fmt.Errorf("model: scale %d is out of range: choose 1 to %d", scale, MaxScale)
}

// NewGraph derives the graph of a scale.
func NewGraph(scale int) (*Graph, error) {
	if scale < 1 || scale > MaxScale {
		return nil, scaleError(scale)
	}
	labels := math.Exp2(float64(scale))
	g := &Graph{Scale: scale, Labels: labels, Tuples: EdgeFactor * labels}
	for ones := range scale + 1 {
		g.addClass(ones)
	}
	for k, c := range g.classes {
		for other, edges := range g.between[k] {
			g.CoreEnds += edges * c.others() * g.classes[other].others()
		}
	}
	rng := rand.New(rand.NewPCG(uint64(scale), 0)) // the same searches in every run
	everybody := make([]float64, scale+1)
	for k, c := range g.classes {
		everybody[k] = c.labels
	}
	for k, all := range g.hitsOf(everybody) {
		g.classes[k].all = all
	}
	for range drawnWaves {
		g.waves = append(g.waves, g.drawWave(rng))
	}
	g.shared = g.meansBy(deviceAlpha)
	if g.alone = g.shared; g.Core >= segmentCore {
		g.alone = g.meansBy(segmentAlpha)
	}
	return g, nil
}

// drawnWaves is how many searches are drawn: means over them are known to about 2%.
const drawnWaves = 256

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
	g.Core += c.core()
	g.Edges += c.edges
}

// drawn is the probability that at least one tuple is what a single one is with probability p.
func (g *Graph) drawn(p float64) float64 { return -math.Expm1(g.Tuples * math.Log1p(-p)) }

// touch is the probability that a tuple joins a label of a class to another label.
func touch(scale, ones int) float64 {
	zeros := scale - ones
	return 2 * (power(both0+one1, zeros)*power(one1+both1, ones) - power(both0, zeros)*power(both1, ones))
}

// neighbours is the number of neighbours that a label with that many ones has in each class.
func (g *Graph) neighbours(ones int) []float64 {
	zeros := g.Scale - ones
	to := make([]float64, g.Scale+1)
	for kept := range ones + 1 { // ones that the neighbour has too
		for turned := range zeros + 1 { // zeros where the neighbour has a one
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

// Prefix is the vertices of the first so many classes, about those of highest degree.
type Prefix struct {
	Vertices float64 `json:"vertices"`
	FarEnds  float64 `json:"far_ends"` // share of the edges that lead to one of them
	Light    float64 `json:"light"`    // share of the edges that neither leave one nor lead to one
}

// Prefix counts the vertices of the first so many classes, and their edges.
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

// Covered is the share of the edges that lead to one of the first vertices in the order of degrees. Within a class
// the edges are taken to be spread evenly, so the truth is a little higher.
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

// choose is the number of ways to choose k of n, to the precision of a float64.
func choose(n, k int) float64 {
	ways := 1.0
	for i := range k {
		ways = ways * float64(n-i) / float64(i+1)
	}
	return ways
}
