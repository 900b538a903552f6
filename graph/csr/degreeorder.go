// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"cmp"
	"slices"

	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
)

// countedDegrees is the bound of the degrees that degreeOrder counts. Few vertices have higher degrees.
const countedDegrees = 1 << 12

// degreeCounts are the vertices of a worker's labels, by degree.
type degreeCounts struct {
	next [countedDegrees]uint32 // by degree: vertices; then the id of the next one
	high []graph.Local          // with higher degrees
}

// degreeOrder numbers the vertices of non-zero degree by falling degree and, for equal degrees, by label. degrees are
// in label order. It is a counting sort, except for the highest degrees, which are compared.
func degreeOrder(degrees []uint32, workers int) (idOf []ID, localOf []graph.Local) {
	counts := make([]degreeCounts, workers)
	par.Each(workers, func(w int) {
		lo, hi := par.Share(len(degrees), w, workers)
		for l, d := range degrees[lo:hi] {
			if d < countedDegrees {
				counts[w].next[d]++
			} else {
				counts[w].high = append(counts[w].high, graph.Local(lo+l))
			}
		}
	})
	var high []graph.Local
	for w := range counts {
		high = append(high, counts[w].high...)
	}
	slices.SortStableFunc(high, func(a, b graph.Local) int { return cmp.Compare(degrees[b], degrees[a]) })
	ids := uint32(len(high))
	for d := countedDegrees - 1; d > 0; d-- {
		for w := range counts {
			ids, counts[w].next[d] = ids+counts[w].next[d], ids
		}
	}
	idOf = hugepage.Make[ID](len(degrees))
	localOf = hugepage.Make[graph.Local](int(ids))
	par.Each(workers, func(w int) {
		next := &counts[w].next
		lo, hi := par.Share(len(degrees), w, workers)
		for l, d := range degrees[lo:hi] {
			switch {
			case d == 0:
				idOf[lo+l] = NoID
			case d < countedDegrees:
				idOf[lo+l], localOf[next[d]] = ID(next[d]), graph.Local(lo+l)
				next[d]++
			}
		}
	})
	for h, l := range high {
		idOf[l], localOf[h] = ID(h), l
	}
	return idOf, localOf
}
