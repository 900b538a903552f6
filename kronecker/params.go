// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"fmt"
	"math"

	"g500/graph"
)

// Params are the parameters of a graph. The official graphs have EdgeFactor 16 and seeds 2 and 3.
type Params struct {
	Scale      int    // log2 of the number of vertices, 1 to graph.MaxScale
	EdgeFactor int64  // edge tuples per vertex
	Seed1      uint64 // seeds of the random number generator
	Seed2      uint64
}

// Vertices returns N = 2^Scale.
func (p Params) Vertices() graph.Global { return 1 << p.Scale }

// Edges returns M = EdgeFactor * N, the number of edge tuples.
func (p Params) Edges() int64 { return p.EdgeFactor << p.Scale }

// Validate returns an error that names a parameter out of range and its range. All seeds are valid. The other methods
// require valid parameters.
func (p Params) Validate() error {
	if p.Scale < 1 || p.Scale > graph.MaxScale {
		return fmt.Errorf("kronecker: scale %d is out of range: choose 1 to %d", p.Scale, graph.MaxScale)
	}
	if most := int64(math.MaxInt64) >> p.Scale; p.EdgeFactor < 1 || p.EdgeFactor > most {
		return fmt.Errorf("kronecker: edge factor %d is out of range at scale %d: choose 1 to %d",
			p.EdgeFactor, p.Scale, most)
	}
	return nil
}

// KeyCandidate returns candidate k of the search keys (specification, section "Sampling 64 Search Keys"). The keys of a
// run are the first 64 different candidates that have an edge to another vertex. The Graph500 reference code examines
// at most N candidates.
func (p Params) KeyCandidate(k int64) graph.Global {
	state := seeded(p.Seed1, p.Seed2).skip(2, 0, 4*uint64(k)) // two doubles of two draws each
	sum := drawDouble(&state)
	sum += drawDouble(&state)
	n := p.Vertices()
	return graph.Global(sum*float64(n)) % n
}

// drawDouble returns a double, uniform in [0, 1], from two draws. The conversions of the products prevent fused
// multiply-add, which would change the last bit of every fourth double.
func drawDouble(state *rng) float64 {
	const (
		unit  = 4.65661287524579692e-10  // 1/(2^31-1)
		finer = 2.168404346990492787e-19 // 1/(2^31-1)^2
	)
	high := float64(state.next())
	low := float64(state.next())
	return float64(high*unit) + float64(low*finer)
}

// Probabilities that a bit is 0 in both ends of a tuple, and in one end.
const (
	both0 = float64(end00-end10) / units
	zero  = both0 + float64(end01)/units
)

// HighestDegree returns the expected highest degree, with duplicates and without self-loops. It is the degree of the
// vertex whose bits are all 0 before labels are scrambled.
func (p Params) HighestDegree() float64 { return float64(p.Edges()) * p.touch(0) }

// Connected returns the expected number of vertices with an edge to another vertex.
func (p Params) Connected() float64 {
	sum, labels := 0.0, 1.0 // labels with that number of ones
	for ones := range p.Scale + 1 {
		none := float64(p.Edges()) * math.Log1p(-p.touch(ones)) // logarithm of the probability of no tuple
		sum -= labels * math.Expm1(none)
		labels = labels * float64(p.Scale-ones) / float64(ones+1)
	}
	return sum
}

// NonLeaves returns the expected number of vertices in which several tuples end, to other vertices.
func (p Params) NonLeaves() float64 {
	leaves, labels := 0.0, 1.0
	for ones := range p.Scale + 1 {
		tuples, one := float64(p.Edges()), p.touch(ones)
		leaves += labels * tuples * one * math.Exp((tuples-1)*math.Log1p(-one))
		labels = labels * float64(p.Scale-ones) / float64(ones+1)
	}
	return p.Connected() - leaves
}

// ShareOfHighest returns the expected share of the ends of tuples at that many vertices of highest degree.
func (p Params) ShareOfHighest(vertices int64) float64 {
	share, labels, left := 0.0, 1.0, float64(vertices)
	for ones := 0; ones <= p.Scale && left > 0; ones++ {
		share += min(labels, left) * math.Pow(zero, float64(p.Scale-ones)) * math.Pow(1-zero, float64(ones))
		left -= labels
		labels = labels * float64(p.Scale-ones) / float64(ones+1)
	}
	return share
}

// touch returns the probability that a tuple joins a vertex, whose label has a number of ones, to another vertex.
func (p Params) touch(ones int) float64 {
	const both1 = 1 - float64(end00)/units
	of := func(zeroBit, oneBit float64) float64 {
		return math.Pow(zeroBit, float64(p.Scale-ones)) * math.Pow(oneBit, float64(ones))
	}
	return 2 * (of(zero, 1-zero) - of(both0, both1))
}
