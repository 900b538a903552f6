// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
)

// On several nodes, ranks of large graphs replicate only the bits of the vertices of highest degree, the first ids of
// each rank. In a bottom-up level nearly every vertex finds a parent among these. For the remaining open vertices,
// ranks query the owners of the other neighbours, or replicate all bits if that takes fewer bytes.

// eachUnknown calls body with the neighbours of a vertex whose bits may be out of date on this rank.
func (h *Hybrid[P]) eachUnknown(id csr.ID, body func(P)) {
	row := h.g.Row(id)
	for i := len(row) - 1; i >= 0 && !h.g.IsReplicated(row[i]); i-- { // by falling id
		if h.g.IsGhost(row[i]) && !h.before.has(uint64(row[i])) {
			body(row[i])
		}
	}
}

// isOpen reports whether the row of a vertex without a parent may have neighbours that are not replicated.
func (h *Hybrid[P]) isOpen(row []P) bool { return len(row) > 0 && !h.g.IsReplicated(row[len(row)-1]) }

// countUnknown counts the unknown neighbours of open vertices.
func (h *Hybrid[P]) countUnknown() int64 {
	if h.gatherer.replicatesAll() {
		return 0
	}
	return par.Sum(h.workers, len(h.lanes), 1, func(_, i, _ int) (n int64) {
		for _, id := range h.lanes[i].open {
			h.eachUnknown(id, func(P) { n++ })
		}
		return n
	})
}

// settleOpen searches for parents of open vertices among their unknown neighbours, whose number on all ranks is given,
// and returns the number of vertices of all ranks that found one. The owners reply with the bits before the level.
func (h *Hybrid[P]) settleOpen(unknown int64) (int64, error) {
	var err error
	if bounds.QueriesPay(unknown, h.gatherer.restBytes()) {
		err = h.query()
	} else {
		err = h.gatherer.gatherRest(h.before)
		h.gatherer.carryOver(h.visited, h.before)
	}
	if err != nil {
		return 0, err
	}
	return comm.Reduce(h.t, h.probeOpen(), comm.Sum)
}

// probeOpen examines the rows of open vertices again, and returns the number of parents found.
func (h *Hybrid[P]) probeOpen() (found int64) {
	now := h.own(h.visited)
	for i := range h.lanes {
		for _, id := range h.lanes[i].open {
			row := h.g.Row(id)
			switch {
			case h.before.has(uint64(row[0])):
				h.first.set(uint64(id))
			case !h.probe(id, row[1:]):
				continue
			}
			now.set(uint64(id))
			found++
		}
	}
	return found
}

// query receives the bits of all unknown neighbours of open vertices.
func (h *Hybrid[P]) query() error {
	h.queried = h.queried[:0]
	for i := range h.lanes {
		for _, id := range h.lanes[i].open {
			h.eachUnknown(id, func(p P) { h.queried = append(h.queried, p) })
		}
	}
	if err := h.queries.post(h.queried); err != nil {
		return err
	}
	return h.queries.reply(h.before, h.before, h.visited)
}

// queryForLeaves sends queries for the neighbours of leaves that are not replicated. Their owners reply at the end of
// each search. The queries are part of kernel 1 because they are the same for all searches. It is collective.
func (h *Hybrid[P]) queryForLeaves() error {
	if h.gatherer.replicatesAll() {
		return nil
	}
	h.queries = newQueries(h.t, h.g, h.gatherer.twoLevel)
	h.ofLeaves = newQueries(h.t, h.g, h.gatherer.twoLevel)
	var ghosts []P
	for _, p := range h.g.First[h.g.OwnInner():] {
		if h.g.IsGhost(p) {
			ghosts = append(ghosts, p)
		}
	}
	return h.ofLeaves.post(ghosts)
}

// updateLeaves receives the bits of all neighbours of leaves, after the last level, whose direction is given.
func (h *Hybrid[P]) updateLeaves(last direction) error {
	if h.leaves == 0 {
		return nil
	}
	if last == topDown {
		if err := h.gather(); err != nil {
			return err
		}
	}
	if h.ofLeaves == nil {
		return nil
	}
	return h.ofLeaves.reply(h.visited, h.visited)
}
