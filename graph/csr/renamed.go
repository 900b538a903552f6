// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"sort"

	"g500/graph"
	"g500/internal/prefetch"
)

// renamed is the source of ends with the vertices of each end exchanged: it is at the vertex whose label the entry had,
// and its entry has the number of the vertex where it was, id * factor + offset. Ends are in the order of these
// vertices' ids, so one rank's deal sorts the ends of each block by entry, unless entries have weights.
type renamed[S, E entry] struct {
	from           *byVertex[S]
	localOf        []graph.Local
	before         []int64 // by id: ends of the vertices with lower ids; then all
	label          S       // mask of the label in an entry
	factor, offset E
}

func (s renamed[S, E]) size() int { return len(s.from.entries) }

// eachVertex calls body with the entries of each vertex that are among the ends [lo, hi). It finds the entries of some
// vertices ahead, because they are at random places.
func (s renamed[S, E]) eachVertex(lo, hi int, body func(h ID, entries []S)) {
	const ahead = 32
	var found [ahead][]S
	first := sort.Search(len(s.localOf), func(h int) bool { return s.before[h+1] > int64(lo) })
	for ; first < len(s.localOf) && s.before[first] < int64(hi); first += ahead {
		some := s.localOf[first:min(first+ahead, len(s.localOf))]
		for i, l := range some {
			found[i] = s.from.of(l)
			prefetch.All(found[i][:min(len(found[i]), prefetch.Grain)])
		}
		for i, entries := range found[:len(some)] {
			before := int(s.before[first+i])
			if from, to := max(lo-before, 0), min(hi-before, len(entries)); from < to {
				body(ID(first+i), entries[from:to])
			}
		}
	}
}

func (s renamed[S, E]) count(lo, hi int, counts []int) {
	g, mask := s.from.grid, s.label
	s.eachVertex(lo, hi, func(_ ID, entries []S) {
		for _, e := range entries {
			counts[g.block(graph.Global(e&mask))]++
		}
	})
}

func (s renamed[S, E]) write(lo, hi int, to *writer[E]) {
	var b batch[E]
	n := 0
	s.eachVertex(lo, hi, func(h ID, entries []S) {
		for number := E(h)*s.factor + s.offset; len(entries) > 0; {
			part := entries[:min(len(entries), batchEnds-n)]
			s.fill(&b, n, part, number)
			n, entries = n+len(part), entries[len(part):]
			if n == batchEnds {
				to.put(&b, n)
				n = 0
			}
		}
	})
	to.put(&b, n)
}

// fill puts ends of one vertex, which has this number, into a batch from place n on.
func (s *renamed[S, E]) fill(b *batch[E], n int, entries []S, number E) {
	vertices, numbers, mask := b.vertices[n:][:len(entries)], b.entries[n:][:len(entries)], s.label
	for i, e := range entries {
		vertices[i], numbers[i] = graph.Global(e&mask), E(e&^mask)|number
	}
}
