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

// Components returns the number of connected components, the number of vertices of the largest one, and the number of
// isolated vertices, which are components of one vertex. Components of a directed graph are the weakly connected ones.
//
// Sets of vertices are trees in an array; an edge joins two sets, and each walk to a root halves its path (Tarjan, van
// Leeuwen: Worst-case Analysis of Set Union Algorithms, J. ACM 31, 1984).
func (g *Graph) Components() (count, largest, isolated int) {
	parent := make([]uint32, g.Vertices())
	for v := range parent {
		parent[v] = uint32(v)
	}
	root := func(v uint32) uint32 {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	for v := range parent {
		for _, to := range g.Row(v) {
			if a, b := root(uint32(v)), root(to); a != b {
				parent[max(a, b)] = min(a, b)
			}
		}
	}
	size := make([]int, len(parent))
	for v := range parent {
		size[root(uint32(v))]++
	}
	for _, vertices := range size {
		largest = max(largest, vertices)
		if vertices > 0 {
			count++
		}
		if vertices == 1 {
			isolated++
		}
	}
	return count, largest, isolated
}

// Sweep is the result of a search from a root.
type Sweep struct {
	Eccentricity int // the largest distance of a reached vertex from the root, in edges
	Farthest     int // the first vertex that was found at that distance
	Reached      int // vertices, including the root
}

// Sweep searches from a root, vertex by vertex.
func (g *Graph) Sweep(root int) Sweep {
	seen := make([]bool, g.Vertices())
	seen[root] = true
	level, s := []uint32{uint32(root)}, Sweep{}
	for depth := 0; len(level) > 0; depth++ {
		s = Sweep{depth, int(level[0]), s.Reached + len(level)}
		var next []uint32
		for _, v := range level {
			for _, to := range g.Row(int(v)) {
				if !seen[to] {
					seen[to] = true
					next = append(next, to)
				}
			}
		}
		level = next
	}
	return s
}

// DiameterAtLeast returns a lower bound of the diameter of a root's component, mostly a close one: the larger of the
// eccentricities of the root and of the vertex farthest from it (the double sweep of Magnien, Latapy, Habib: Fast
// Computation of Empirically Tight Bounds for the Diameter of Massive Graphs, J. Exp. Algorithmics 13, 2009). For a
// directed graph it bounds the largest finite distance.
func (g *Graph) DiameterAtLeast(from Sweep) int {
	return max(from.Eccentricity, g.Sweep(from.Farthest).Eccentricity)
}
