// SPDX-License-Identifier: Apache-2.0

package bfs

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
