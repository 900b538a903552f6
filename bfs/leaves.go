package bfs

// askForLeaves asks about those neighbours of leaves that no rank tells all others of: their owners tell when a search
// is over. The questions are part of kernel 1, as they are the same for all searches. It is collective.
func (h *Hybrid[P]) askForLeaves() error {
	if h.whole.tellsAll() {
		return nil
	}
	h.questions = newQuestions(h.t, h.g, h.whole.tiers)
	h.ofLeaves = newQuestions(h.t, h.g, h.whole.tiers)
	var wanted []P
	for _, p := range h.g.First[h.g.OwnCore():] {
		if h.g.IsGhost(p) {
			wanted = append(wanted, p)
		}
	}
	return h.ofLeaves.pose(wanted)
}

// informLeaves has ranks know of all neighbours of leaves, after a last level in some direction.
func (h *Hybrid[P]) informLeaves(last direction) error {
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
	return h.ofLeaves.answer(h.visited, h.visited)
}
