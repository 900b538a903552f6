package bfs

// meanDegrees is the mean degree of the vertices of each class, of which there are so many with so many edges, in
// sixteenths, rounded. A class without vertices has none.
func meanDegrees(vertices, edges []int64) []uint32 {
	mean := make([]uint32, len(vertices))
	for class, n := range vertices {
		if n > 0 {
			mean[class] = uint32((16*edges[class] + n/2) / n)
		}
	}
	return mean
}
