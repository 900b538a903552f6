// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"errors"
	"slices"

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
	h.merge()
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

// mergeGrain is the number of bins of workers that a worker merges at a time.
const mergeGrain = 4

// merge writes the bins of all workers to one message per rank or node, and empties the bins.
func (h *Hybrid[P]) merge() {
	lanes := len(h.lanes)
	starts := make([]int, len(h.bins)*lanes) // of each bin in its message
	for r := range h.bins {
		size := 0
		for w := range h.lanes {
			starts[r*lanes+w] = size
			size += partBytes(h.lanes[w].bins[r].message)
		}
		h.bins[r] = slices.Grow(h.bins[r][:0], size)[:size]
	}
	par.For(h.workers, len(starts), mergeGrain, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			r := i / lanes
			if b := &h.lanes[i%lanes].bins[r]; len(b.message) > 0 {
				putPart(h.bins[r][starts[i]:], b.message)
				b.clear()
			}
		}
	})
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

// settledAtOnce is the number of received pairs whose vertices are claimed together.
const settledAtOnce = 1 << 8

// take claims the vertices of a bin that this rank owns.
func (h *Hybrid[P]) take(l *lane[P], from part) error {
	me, damaged := h.to[h.g.Rank], false
	l.edges = slices.Grow(l.edges[:0], settledAtOnce)
	settle := func() {
		for _, e := range claimAll(h.visited, l.edges) {
			at, has := h.g.Find(from.rank, e.from) // a neighbour, or a root that is a leaf
			damaged = damaged || !has
			h.adopt(l, csr.ID(e.to-h.g.Index(0)), at)
		}
		l.edges = l.edges[:0]
	}
	err := readBin(from.message, int(me.number(csr.ID(h.g.Stride))), func(number, parent csr.ID) {
		id, is := me.id(number)
		if !is {
			return
		}
		if int(id) >= h.g.OwnInner() {
			damaged = true
			return
		}
		if l.edges = append(l.edges, edge[P]{parent, h.g.Index(id)}); len(l.edges) == settledAtOnce {
			settle()
		}
	})
	settle()
	if err == nil && damaged {
		err = errBin
	}
	return err
}
