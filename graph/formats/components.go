// SPDX-License-Identifier: Apache-2.0

package formats

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
