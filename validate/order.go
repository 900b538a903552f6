// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"slices"

	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
)

// order numbers a rank's vertices by falling number of tuples, vertices with equally many by rising label. Most tuples
// then have an end among the first places, whose values stay in the cache.
type order struct {
	place     []uint32      // of each vertex, by local id, followed by the number of vertices
	local     []graph.Local // of the vertex at each place
	connected int           // number of vertices with tuples; they come first
}

// mostCounted bounds the numbers of tuples that order distinguishes.
const mostCounted = 1 << 16

// newOrder returns the order of vertices with these numbers of tuples.
func newOrder(tuples []uint32) order {
	o := order{place: hugepage.Make[uint32](len(tuples) + 1), local: make([]graph.Local, len(tuples))}
	o.place[len(tuples)] = uint32(len(tuples))
	next := make([]uint32, mostCounted+1) // next[n]: the place of the next vertex with n tuples
	for _, n := range tuples {
		next[min(n, mostCounted)]++
	}
	o.connected = len(tuples) - int(next[0])
	total := uint32(0)
	for n := mostCounted; n >= 0; n-- {
		next[n], total = total, total+next[n]
	}
	for l, n := range tuples {
		at := &next[min(n, mostCounted)]
		o.place[l], o.local[*at] = *at, graph.Local(l)
		*at++
	}
	return o
}

// countTuples returns the number of tuples of each owned vertex, without self-loops.
func countTuples(workers, owned int, inner, outer []run) []uint32 {
	tuples := make([]uint32, owned)
	par.Each(workers, func(w int) {
		lo, hi := par.Share(owned, w, workers)
		mine := tuples[lo:hi]
		for _, run := range inner {
			for _, p := range run.pairs {
				countEnd(mine, p.own-graph.Local(lo))
				countEnd(mine, p.other-graph.Local(lo))
			}
		}
		for _, run := range outer {
			for _, p := range run.pairs {
				countEnd(mine, p.own-graph.Local(lo))
			}
		}
	})
	return tuples
}

// countEnd counts an end among a worker's vertices. The index of a vertex before them has wrapped around, out of range.
func countEnd(tuples []uint32, index graph.Local) {
	if int(index) < len(tuples) {
		tuples[index]++
	}
}

// renumber replaces the ends of pairs within the rank by their places, such that the own end is the one with the higher
// place unless the graph is directed, and divides the pairs into those whose other end is below hubs, and the rest.
func (o *order) renumber(workers int, inner []run, hubs int, directed bool) (near, far []run) {
	near, far = slices.Clone(inner), slices.Clone(inner)
	par.For(workers, len(inner), 1, func(_, i, _ int) {
		pairs, n := inner[i].pairs, 0
		for j, p := range pairs {
			own, other := graph.Local(o.place[p.own]), graph.Local(o.place[p.other])
			if !directed {
				own, other = max(own, other), min(own, other)
			}
			pairs[j] = pairs[n]
			at := j
			if int(other) < hubs {
				inner[i].swapWeights(n, j)
				at = n
				n++
			}
			pairs[at] = pair{own, other}
		}
		near[i], far[i] = inner[i].cut(0, n), inner[i].cut(n, len(pairs))
	})
	return near, far
}

// renumberOwn replaces the own ends of pairs by their places.
func (o *order) renumberOwn(workers int, outer []run) {
	par.For(workers, len(outer), 1, func(_, i, _ int) {
		for j := range outer[i].pairs {
			own := &outer[i].pairs[j].own
			*own = graph.Local(o.place[*own])
		}
	})
}

// renumberList replaces local ids by places.
func (o *order) renumberList(vertices []graph.Local) {
	for i, l := range vertices {
		vertices[i] = graph.Local(o.place[l])
	}
}
