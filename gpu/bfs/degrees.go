package bfs

// meanDegrees returns the mean degree of each class in sixteenths, rounded, from its numbers of vertices and edges. It
// is 0 for a class without vertices.
func meanDegrees(vertices, edges []int64) []uint32 {
	mean := make([]uint32, len(vertices))
	for class, n := range vertices {
		if n > 0 {
			mean[class] = uint32((16*edges[class] + n/2) / n)
		}
	}
	return mean
}
