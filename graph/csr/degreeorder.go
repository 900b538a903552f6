package csr

import (
	"cmp"
	"slices"

	"g500/graph"
	"g500/internal/hugepage"
)

// countedDegrees is the bound of the degrees that degreeOrder counts. Few vertices have higher degrees.
const countedDegrees = 1 << 16

// degreeOrder numbers the vertices of non-zero degree by falling degree and, for equal degrees, by label. degrees are
// in label order. It is a counting sort, except for the highest degrees, which are compared.
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

// rowOffsets returns the offsets of rows with the vertices' degrees as lengths, in degree order.
func rowOffsets(localOf []graph.Local, degrees []uint32) []int64 {
	rows := hugepage.Make[int64](len(localOf) + 1)
	for h, l := range localOf {
		rows[h+1] = rows[h] + int64(degrees[l])
	}
	return rows
}
