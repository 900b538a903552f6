// SPDX-License-Identifier: Apache-2.0

package validate

// busiest returns the first of the three consecutive levels that probably have most ends of tuples: those with the most
// vertices. If others have nearly as many, it is the highest ones, because hubs are near the root.
func busiest(sizes []uint64) (first int) {
	most := uint64(0)
	for i := range sizes {
		vertices := uint64(0)
		for _, size := range sizes[i:min(i+3, len(sizes))] {
			vertices += size
		}
		if vertices > most+most/16 {
			most, first = vertices, i
		}
	}
	return first
}
