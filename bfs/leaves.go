package bfs

import (
	"slices"

	"g500/comm"
	"g500/graph/csr"
)

// leafNeighbours are the neighbours of leaves that no rank tells all others of: their owners tell, when a search is
// over, which of them are visited. Who wants to know is settled in kernel 1, as it is the same for all searches.
type leafNeighbours struct {
	wanted []csr.Pos   // of this rank's leaves, sorted
	asked  [][]csr.Hub // by rank: own vertices that it wants to know of
	all    int64       // of all ranks
}

// findLeafNeighbours is collective.
func (h *Hybrid) findLeafNeighbours() error {
	if h.whole.hubs == h.g.Stride {
		return nil
	}
	l := &leafNeighbours{asked: make([][]csr.Hub, h.t.Size())}
	for _, p := range h.g.First[h.g.OwnCore():] {
		if p == h.g.None() {
			continue
		}
		if r, hub := h.g.Owner(p); r != h.g.Rank && int(hub) >= h.whole.hubs {
			l.wanted = append(l.wanted, p)
		}
	}
	slices.Sort(l.wanted)
	l.wanted = slices.Clip(slices.Compact(l.wanted))
	rest, questions := l.wanted, make([][]byte, h.t.Size())
	for r := range questions {
		questions[r], rest = appendQuestions(nil, rest, h.g.At(r, 0), h.g.Stride)
	}
	got, err := h.t.AllToAll(questions)
	if err != nil {
		return err
	}
	for r, message := range got {
		if err := eachQuestion(message, h.g.Stride, func(hub csr.Hub) { l.asked[r] = append(l.asked[r], hub) }); err != nil {
			return err
		}
	}
	all := []int64{int64(len(l.wanted))}
	err = h.t.AllReduce(all, comm.Sum)
	l.all = all[0]
	h.leafNeighbours = l
	return err
}

// tellOfLeafNeighbours brings the bits of the neighbours of leaves, after the last level.
func (h *Hybrid) tellOfLeafNeighbours() error {
	l := h.leafNeighbours
	if l == nil || l.all == 0 {
		return nil
	}
	own := h.own(h.visited)
	for r, hubs := range l.asked {
		h.answers[r] = h.answers[r][:0]
		for k, hub := range hubs {
			h.answers[r] = appendBit(h.answers[r], k, own.has(csr.Pos(hub)))
		}
	}
	got, err := h.exchangeShort(h.answers, l.all/8)
	if err != nil {
		return err
	}
	return h.takeAnswers(l.wanted, got, h.visited)
}
