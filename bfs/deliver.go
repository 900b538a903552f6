package bfs

import (
	"errors"

	"g500/graph/csr"
	"g500/internal/par"
)

// addresses returns the addresses of a level's pairs, which go from host to host or from rank to rank. The decision is
// the same on all ranks. It depends on an upper bound of the pairs: the edges of the frontier. After a bottom-up level,
// when these are unknown, few edges leave each vertex.
func (h *Hybrid[P]) addresses(at progress) []address {
	if h.byHost != nil && bounds.PairsToHosts(max(at.edges, at.frontier), int64(h.t.Size())) {
		return h.byHost
	}
	return h.byRank
}

// deliver sends the bins to the owners of their vertices and claims the vertices that other ranks sent here.
func (h *Hybrid[P]) deliver() error {
	for r := range h.bins {
		h.bins[r] = h.bins[r][:0]
		for w := range h.lanes {
			b := &h.lanes[w].bins[r]
			h.bins[r] = appendPart(h.bins[r], b.message)
			b.clear()
		}
	}
	got, err := h.exchangeBins()
	if err != nil {
		return err
	}
	parts, err := partsOf(got)
	if err != nil {
		return err
	}
	faults := make([]error, len(parts))
	par.For(h.workers, len(parts), 1, func(w, i, _ int) { faults[i] = h.take(&h.lanes[w], parts[i]) })
	return errors.Join(faults...)
}

// exchangeBins sends the bins to their addresses. This rank's pairs for its own host come back to it; they are for the
// other ranks there.
func (h *Hybrid[P]) exchangeBins() ([][]byte, error) {
	if &h.to[0] == &h.byRank[0] {
		return h.t.AllToAll(h.bins)
	}
	got, err := h.whole.tiers.ToNodes(h.bins[:h.whole.tiers.Nodes()])
	if err == nil {
		got[h.t.Rank()] = nil
	}
	return got, err
}

// exchangeShort is an AllToAll, from host to host or from rank to rank, of messages with items of a few bytes; items is
// their number on all ranks.
func (h *Hybrid[P]) exchangeShort(send [][]byte, items int64) ([][]byte, error) {
	if h.byHost != nil && bounds.ItemsToHosts(items, int64(h.t.Size())) {
		return h.whole.tiers.AllToAll(send)
	}
	return h.t.AllToAll(send)
}

// take claims the vertices of a bin that are this rank's.
func (h *Hybrid[P]) take(l *lane, from part) error {
	me, strange := h.to[h.g.Rank], false
	err := readBin(from.message, int(me.number(csr.ID(h.g.Stride))), func(number, parent csr.ID) {
		id, is := me.id(number)
		if !is {
			return
		}
		if int(id) >= h.g.OwnCore() {
			strange = true
		} else if h.visited.claim(uint64(h.g.Index(id))) {
			at, has := h.g.Find(from.rank, parent) // a neighbour, or a root that is a leaf
			strange = strange || !has
			h.adopt(l, id, at)
		}
	})
	if err == nil && strange {
		err = errBin
	}
	return err
}
