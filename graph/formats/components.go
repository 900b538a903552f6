package formats

// Components tells how many connected components the graph has and how many vertices are in the largest. A vertex
// without an edge is one. Of a directed graph they are the weakly connected ones.
//
// Sets of vertices are trees in an array; two that an edge joins become one, and ways to the root are halved when they
// are walked (Tarjan, van Leeuwen: Worst-case Analysis of Set Union Algorithms, J. ACM 31, 1984).
func (g *Graph) Components() (count, largest int) {
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
	size := make([]uint32, len(parent))
	for v := range parent {
		size[root(uint32(v))]++
	}
	for _, n := range size {
		if n > 0 {
			count++
		}
		largest = max(largest, int(n))
	}
	return count, largest
}
