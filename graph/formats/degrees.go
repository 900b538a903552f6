// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"math"
	"math/bits"
)

// Degrees are statistics of the numbers of neighbours of the vertices, including duplicates. In a directed graph, only
// the edges that leave a vertex count.
type Degrees struct {
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"standard_deviation"` // of all vertices, not of a sample
	Max       int     `json:"max"`
	MaxVertex int     `json:"max_vertex"` // the first vertex with that degree
	Gini      float64 `json:"gini"`       // 0 if all degrees are equal, near 1 if few vertices have nearly all edges
	Powers    []int64 `json:"powers"`     // numbers of vertices of degree 0, 1, 2 to 3, 4 to 7 and so on
}

// Degrees returns the statistics of all vertices.
func (g *Graph) Degrees() Degrees {
	n := g.Vertices()
	if n == 0 {
		return Degrees{}
	}
	d := Degrees{Mean: float64(g.Entries()) / float64(n), Max: -1}
	squares := 0.0
	for v := range n {
		degree := g.Degree(v)
		if degree > d.Max {
			d.Max, d.MaxVertex = degree, v
		}
		for len(d.Powers) <= bits.Len(uint(degree)) {
			d.Powers = append(d.Powers, 0)
		}
		d.Powers[bits.Len(uint(degree))]++
		squares += (float64(degree) - d.Mean) * (float64(degree) - d.Mean)
	}
	d.Deviation = math.Sqrt(squares / float64(n))
	d.Gini = g.gini(d.Max)
	return d
}

// gini returns the coefficient of Gini (1912) of the degrees, of which most is the largest: the mean difference of the
// degrees of two vertices over twice the mean degree. For degrees d in rising order, i from 1, it is
// 2 sum(i d) / (n sum(d)) - (n+1)/n.
func (g *Graph) gini(most int) float64 {
	if g.Entries() == 0 {
		return 0
	}
	vertices := make([]int64, most+1)
	for v := range g.Vertices() {
		vertices[g.Degree(v)]++
	}
	before, ranks := 0.0, 0.0
	for degree, count := range vertices {
		k := float64(count)
		ranks += float64(degree) * (k*before + k*(k+1)/2)
		before += k
	}
	n := float64(g.Vertices())
	return 2*ranks/(n*float64(g.Entries())) - (n+1)/n
}
