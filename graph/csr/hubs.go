package csr

import (
	"g500/graph"
	"g500/internal/hugepage"
)

// hubOrder numbers the vertices of non-zero degree by falling degree, stably: of equal degree, the lower label
// comes first. It is one counting sort over the degrees, which are given in label order.
func hubOrder(degrees []uint32) (hubOf []Hub, localOf []graph.Local) {
	highest := uint32(0)
	for _, d := range degrees {
		highest = max(highest, d)
	}
	next := make([]uint32, highest+1) // by degree: the hub id of the next vertex of that degree
	for _, d := range degrees {
		next[d]++
	}
	next[0] = 0
	hubs := uint32(0)
	for d := highest; d > 0; d-- {
		hubs, next[d] = hubs+next[d], hubs
	}
	hubOf = hugepage.Make[Hub](len(degrees))
	localOf = hugepage.Make[graph.Local](int(hubs))
	for l, d := range degrees {
		if d == 0 {
			hubOf[l] = NoHub
			continue
		}
		h := next[d]
		next[d]++
		hubOf[l] = Hub(h)
		localOf[h] = graph.Local(l)
	}
	return hubOf, localOf
}

// rowOffsets lays rows of the vertices' degrees end to end, in hub order.
func rowOffsets(localOf []graph.Local, degrees []uint32) []int64 {
	rows := hugepage.Make[int64](len(localOf) + 1)
	for h, l := range localOf {
		rows[h+1] = rows[h] + int64(degrees[l])
	}
	return rows
}
