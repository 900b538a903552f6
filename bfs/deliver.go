// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"errors"

	"g500/graph/csr"
	"g500/internal/par"
)

// addresses returns the addresses of a level's pairs: from node to node or from rank to rank. The decision is the same
// on all ranks. It uses an upper bound of the number of pairs, the edges of the frontier. After a bottom-up level these
// are unknown, and few edges leave each vertex.
func (h *Hybrid[P]) addresses(at progress) []address {
	if h.byNode != nil && bounds.PairsToNodes(max(at.edges, at.frontier), int64(h.t.Size())) {
		return h.byNode
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

// exchangeBins sends the bins to their addresses. This rank receives its own pairs for its node, and ignores them: they
// are for the other ranks there.
func (h *Hybrid[P]) exchangeBins() ([][]byte, error) {
	if &h.to[0] == &h.byRank[0] {
		return h.t.AllToAll(h.bins)
	}
	got, err := h.gatherer.twoLevel.ToNodes(h.bins[:h.gatherer.twoLevel.Nodes()])
	if err == nil {
		got[h.t.Rank()] = nil
	}
	return got, err
}

// exchangeShort is an AllToAll, from node to node or from rank to rank, of messages with items of a few bytes. items is
// the number on all ranks.
func (h *Hybrid[P]) exchangeShort(send [][]byte, items int64) ([][]byte, error) {
	if h.byNode != nil && bounds.ItemsToNodes(items, int64(h.t.Size())) {
		return h.gatherer.twoLevel.AllToAll(send)
	}
	return h.t.AllToAll(send)
}

// take claims the vertices of a bin that this rank owns.
func (h *Hybrid[P]) take(l *lane[P], from part) error {
	me, damaged := h.to[h.g.Rank], false
	err := readBin(from.message, int(me.number(csr.ID(h.g.Stride))), func(number, parent csr.ID) {
		id, is := me.id(number)
		if !is {
			return
		}
		if int(id) >= h.g.OwnInner() {
			damaged = true
		} else if h.visited.claim(uint64(h.g.Index(id))) {
			at, has := h.g.Find(from.rank, parent) // a neighbour, or a root that is a leaf
			damaged = damaged || !has
			h.adopt(l, id, at)
		}
	})
	if err == nil && damaged {
		err = errBin
	}
	return err
}
