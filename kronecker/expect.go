package kronecker

import "math"

// The probabilities that a bit is 0 in both ends of a tuple, and in one end whatever the other has.
const (
	both0 = float64(end00-end10) / whole
	zero  = both0 + float64(end01)/whole
)

// HighestDegree is the expected number of edge tuples that end at the vertex with the most of them, self-loops left
// out: before labels are scrambled, the one whose bits are all 0.
func (p Params) HighestDegree() float64 {
	return float64(p.Edges()) * p.touch(0)
}

// Connected is the expected number of vertices with an edge to another vertex.
func (p Params) Connected() float64 {
	sum, alike := 0.0, 1.0 // alike labels have equally many ones
	for ones := range p.Scale + 1 {
		none := float64(p.Edges()) * math.Log1p(-p.touch(ones)) // logarithm of the probability that no tuple does
		sum -= alike * math.Expm1(none)
		alike = alike * float64(p.Scale-ones) / float64(ones+1)
	}
	return sum
}

// touch is the probability that a tuple joins a vertex with so many ones to another one.
func (p Params) touch(ones int) float64 {
	const both1 = 1 - float64(end00)/whole
	of := func(zeroBit, oneBit float64) float64 {
		return math.Pow(zeroBit, float64(p.Scale-ones)) * math.Pow(oneBit, float64(ones))
	}
	return 2 * (of(zero, 1-zero) - of(both0, both1))
}
