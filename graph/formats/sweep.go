package formats

// Sweep is what a search from a root tells: how far it is to the farthest vertex that it reaches.
type Sweep struct {
	Eccentricity int // of the root, in edges, among the vertices that it reaches
	Farthest     int // the first vertex that was found so far away
	Reached      int // vertices, the root included
}

// Sweep searches from a root, vertex by vertex.
func (g *Graph) Sweep(root int) Sweep {
	seen := make([]bool, g.Vertices())
	seen[root] = true
	level, s := []uint32{uint32(root)}, Sweep{Farthest: root}
	for depth := 0; len(level) > 0; depth++ {
		s.Eccentricity, s.Farthest = depth, int(level[0])
		s.Reached += len(level)
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

// DiameterAtLeast is a lower bound of the diameter of a root's component, which is mostly near it: the eccentricity of
// the vertex farthest from the root, if it is more than that of the root (the double sweep of Magnien, Latapy, Habib:
// Fast Computation of Empirically Tight Bounds for the Diameter of Massive Graphs, J. Exp. Algorithmics 13, 2009). Of a
// directed graph it bounds the largest of the distances that are finite.
func (g *Graph) DiameterAtLeast(from Sweep) int {
	return max(from.Eccentricity, g.Sweep(from.Farthest).Eccentricity)
}
