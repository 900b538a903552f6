package csr

import (
	"cmp"
	"slices"

	"g500/graph"
	"g500/internal/hugepage"
)

// countedDegrees bounds the degrees that degreeOrder counts. Vertices of higher ones are few.
const countedDegrees = 1 << 16

// degreeOrder numbers the vertices of non-zero degree by falling degree, stably: of equal degree, the lower label
// comes first. It is one counting sort over the degrees, which are given in label order; the highest are compared.
func degreeOrder(degrees []uint32) (idOf []ID, localOf []graph.Local) {
	next := make([]uint32, countedDegrees) // by degree: the id of the next vertex of that degree
	var high []graph.Local
	for l, d := range degrees {
		if d < countedDegrees {
			next[d]++
		} else {
			high = append(high, graph.Local(l))
		}
	}
	slices.SortStableFunc(high, func(a, b graph.Local) int { return cmp.Compare(degrees[b], degrees[a]) })
	next[0] = 0
	ids := uint32(len(high))
	for d := countedDegrees - 1; d > 0; d-- {
		ids, next[d] = ids+next[d], ids
	}
	idOf = hugepage.Make[ID](len(degrees))
	localOf = hugepage.Make[graph.Local](int(ids))
	for h, l := range high {
		idOf[l], localOf[h] = ID(h), l
	}
	for l, d := range degrees {
		switch {
		case d == 0:
			idOf[l] = NoID
		case d < countedDegrees:
			idOf[l], localOf[next[d]] = ID(next[d]), graph.Local(l)
			next[d]++
		}
	}
	return idOf, localOf
}

// rowOffsets lays rows of the vertices' degrees end to end, in degree order.
func rowOffsets(localOf []graph.Local, degrees []uint32) []int64 {
	rows := hugepage.Make[int64](len(localOf) + 1)
	for h, l := range localOf {
		rows[h+1] = rows[h] + int64(degrees[l])
	}
	return rows
}
