// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"slices"
	"sort"

	"g500/graph/csr"
	"g500/internal/par"
)

const (
	partsPerWorker = 4
	leastOfPart    = 1 << 4 // edges of a row to a part, on average; fewer take less time than finding the part in the row
)

// divide divides the ids into parts that about as many edges lead to, for pushParts. Words of a bitmap belong to one
// part only.
func (h *Hybrid[P]) divide() {
	rows := h.g.Out.Rows[:h.g.OwnInner()+1]
	n := partsPerWorker * h.workers
	for k := range n {
		edges := rows[len(rows)-1] / int64(n) * int64(k)
		first := sort.Search(len(rows), func(id int) bool { return rows[id] >= edges })
		h.parts = append(h.parts, csr.ID(first/csr.WordBits*csr.WordBits))
	}
	h.parts = slices.Compact(h.parts)
}

// usesParts reports whether a level examines its edges by parts of their ends: if few vertices have many edges, as
// hubs have.
func (h *Hybrid[P]) usesParts(edges, rounds int64) bool {
	segments := int64(len(h.queue) * len(h.parts))
	return h.gatherer.replicatesAll() && (rounds == 1 || h.t.Size() == 1) && edges >= leastOfPart*segments
}

// pushParts examines all edges that leave the queue, those to a part of the ids by one worker. So claims need no atomic
// operations, and the bitmap and the parents of a part stay in the caches of one core. Rows are sorted by id.
func (h *Hybrid[P]) pushParts() {
	h.cutRows()
	parts := len(h.parts)
	par.For(h.workers, parts, 1, func(w, part, _ int) {
		l := &h.lanes[w]
		for i, u := range h.queue {
			row, cuts := h.g.Out.Row(u), h.cuts[i*parts:(i+1)*parts]
			if row = row[cuts[part]:]; part+1 < parts {
				row = row[:cuts[part+1]-cuts[part]]
			}
			l.edges = appendUnvisited(slices.Grow(l.edges[:0], len(row)), h.visited, u, row)
			for _, e := range l.edges {
				h.visited.set(uint64(e.to))
			}
			h.keep(l, l.edges)
		}
	})
}

// cutRows finds the place in each row of the queue where each part begins.
func (h *Hybrid[P]) cutRows() {
	parts := len(h.parts)
	h.cuts = slices.Grow(h.cuts[:0], len(h.queue)*parts)[:len(h.queue)*parts]
	par.For(h.workers, len(h.queue), par.Grain(h.workers, len(h.queue), 1, queuePiece), func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row, place := h.g.Out.Row(h.queue[i]), 0
			for k, first := range h.parts {
				place += h.below(row[place:], first)
				h.cuts[i*parts+k] = csr.ID(place)
			}
		}
	})
}

// below returns the number of entries of a row below an id. It doubles its steps, because parts of a row are short.
func (h *Hybrid[P]) below(row []P, first csr.ID) int {
	is := func(i int) bool {
		_, id := h.g.Owner(row[i])
		return id < first
	}
	step := 1
	for step < len(row) && is(step) {
		step *= 2
	}
	from := step / 2
	return from + sort.Search(min(step, len(row))-from, func(i int) bool { return !is(from + i) })
}
