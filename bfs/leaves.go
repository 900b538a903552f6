package bfs

// queryForLeaves sends queries about those neighbours of leaves that are not replicated; their owners reply at the end
// of each search. The queries are part of kernel 1, since they are the same for all searches. It is collective.
func (h *Hybrid[P]) queryForLeaves() error {
	if h.whole.replicatesAll() {
		return nil
	}
	h.queries = newQueries(h.t, h.g, h.whole.tiers)
	h.ofLeaves = newQueries(h.t, h.g, h.whole.tiers)
	var wanted []P
	for _, p := range h.g.First[h.g.OwnCore():] {
		if h.g.IsGhost(p) {
			wanted = append(wanted, p)
		}
	}
	return h.ofLeaves.post(wanted)
}

// updateLeaves brings the bits of all neighbours of leaves, after a last level in some direction.
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
