// SPDX-License-Identifier: Apache-2.0

package kronecker

import "math"

// Probabilities that a bit is 0 in both ends of a tuple, and in one end.
const (
	both0 = float64(end00-end10) / units
	zero  = both0 + float64(end01)/units
)

// HighestDegree returns the expected highest degree, with duplicates and without self-loops. It is the degree of the
// vertex whose bits are all 0 before labels are scrambled.
func (p Params) HighestDegree() float64 {
	return float64(p.Edges()) * p.touch(0)
}

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
