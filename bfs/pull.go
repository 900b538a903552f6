// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"math/bits"
	"sort"
	"unsafe"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
	"g500/internal/prefetch"
)

// wordGrain returns the number of bitmap words whose vertices a worker takes at a time.
func (h *Hybrid[P]) wordGrain() int { return par.Grain(h.workers, len(h.first), 1<<4, 1<<6) }

// pull is a bottom-up level: each unvisited vertex searches for a visited neighbour, in three passes: among the first
// neighbours of a word's vertices, among the second ones of the remaining vertices, and in the rest of their rows. The
// first two find nearly all parents. If few edges leave the frontier, its vertices claim the rest in place of the third
// pass, unless ranks have bitmaps of their own. In the passes, workers write different words of the new bitmap, without
// atomic operations; then the ranks gather the words, unless they share them.
func (h *Hybrid[P]) pull(at progress) (progress, error) {
	h.visited, h.before = h.before, h.visited
	h.gatherer.carryOver(h.visited, h.before)
	for w := range h.lanes {
		if l := &h.lanes[w]; len(l.open) > 0 {
			l.open = l.open[:0]
		}
	}
	short := at.endsFromFrontier() && (h.t.Size() == 1 || h.shared)
	found := par.Sum(h.workers, len(h.first), h.wordGrain(), func(w, lo, hi int) int64 {
		h.probeNear(&h.lanes[w], lo, hi)
		if !short {
			h.probeRows(&h.lanes[w])
		}
		return newBits(h.own(h.before)[lo:hi], h.own(h.visited)[lo:hi])
	})
	if short {
		if err := h.pushRest(at); err != nil {
			return at, err
		}
		found += h.found()
	}
	h.dropFound()
	at.edges, h.kept = 0, ^uint64(0)
	if h.t.Size() > 1 && h.gatherer.replicatesAll() && !h.shared {
		err := h.gather()
		at.frontier = h.countNew()
		return at, err
	}
	sums := []int64{found, h.countUnknown()}
	if err := h.t.AllReduce(sums, comm.Sum); err != nil {
		return at, err
	}
	at.frontier = sums[0]
	if sums[1] > 0 {
		more, err := h.settleOpen(sums[1])
		if err != nil {
			return at, err
		}
		at.frontier += more
	}
	return at, h.gather()
}

// countNew counts the vertices that all ranks have found in a bottom-up level. If all bits are replicated, that is
// faster than a reduction.
func (h *Hybrid[P]) countNew() int64 {
	return par.Sum(h.workers, int(h.g.Positions())/csr.WordBits, 1<<10, func(_, lo, hi int) int64 {
		return newBits(h.before[lo:hi], h.visited[lo:hi])
	})
}

// valid returns the bits of word i of the own part that belong to vertices.
func (h *Hybrid[P]) valid(i int) uint64 {
	if left := h.g.OwnInner() - i*csr.WordBits; left < csr.WordBits {
		return 1<<max(left, 0) - 1
	}
	return ^uint64(0)
}

// probeNear computes words [lo, hi) of the new bitmap by the first two neighbours of their vertices, and lists the
// vertices without a hit as missed. No branch depends on a hit.
func (h *Hybrid[P]) probeNear(l *lane[P], lo, hi int) {
	old, now := h.own(h.before), h.own(h.visited)
	missed := l.missed[:0]
	for i := lo; i < hi; i++ {
		unvisited := ^old[i] & h.valid(i)
		hits := uint64(0)
		if unvisited != 0 {
			prefetch.Ahead(h.g.First, i*csr.WordBits)
			hits = h.probeFirst(i*csr.WordBits, unvisited)
		}
		h.first[i] = h.first[i]&h.kept | hits
		now[i] = old[i] | hits
		for rest := unvisited &^ hits; rest != 0; rest &= rest - 1 {
			missed = append(missed, csr.ID(i*csr.WordBits+bits.TrailingZeros64(rest)))
		}
	}
	l.missed = h.probeSecond(now, missed)
}

// probeRows probes the rows of missed vertices from their third neighbours on.
func (h *Hybrid[P]) probeRows(l *lane[P]) {
	now, missed := h.own(h.visited), l.missed
	queries := !h.gatherer.replicatesAll()
	missed = missed[:sort.Search(len(missed), func(i int) bool { return int(missed[i]) >= h.longRows })]
	prefetch.InBatches(missed, h.loadRows, func(ids []csr.ID) {
		for _, id := range ids {
			row := h.g.Row(id)
			if h.probe(id, row[min(2, len(row)):]) {
				now[id/csr.WordBits] |= 1 << (id % csr.WordBits)
			} else if queries && h.isOpen(row) {
				l.open = append(l.open, id)
			}
		}
	})
}

// newBits returns the number of bits that are in now and not in old.
func newBits(old, now bitmap) (n int64) {
	for i, word := range now {
		n += int64(bits.OnesCount64(word &^ old[i]))
	}
	return n
}

// pushRest claims the vertices that the frontier has edges to and that are not found, and lists those on this rank.
func (h *Hybrid[P]) pushRest(at progress) error {
	h.enqueue()
	if err := h.meet(); err != nil {
		return err
	}
	return h.pushEdges(at)
}

// loadRows begins to load the rows of a batch of vertices, from their third neighbours on.
func (h *Hybrid[P]) loadRows(ids []csr.ID) {
	var rows [prefetch.Batch]unsafe.Pointer
	cols := h.g.Cols
	if len(cols) == 0 {
		return
	}
	for i, id := range ids {
		rows[i] = unsafe.Pointer(&cols[min(int(h.g.Rows[id])+2, len(cols)-1)])
	}
	prefetch.Each(rows[:len(ids)])
}

// probeFirst tests the first neighbours of the unvisited vertices id, id+1, ...
func (h *Hybrid[P]) probeFirst(id int, unvisited uint64) (hits uint64) {
	const dense = 20 // number of set bits from which testing all 64 is faster than finding the set ones
	if bits.OnesCount64(unvisited) < dense {
		for rest := unvisited; rest != 0; rest &= rest - 1 {
			b := bits.TrailingZeros64(rest)
			hits |= h.before.get(uint64(h.g.First[id+b])) << b
		}
		return hits
	}
	return unvisited & getAll(h.before, h.g.First[id:min(id+csr.WordBits, len(h.g.First))])
}

// probeSecond tests the second neighbours of vertices, sets the hits in now, and returns the other vertices, in place.
func (h *Hybrid[P]) probeSecond(now bitmap, ids []csr.ID) []csr.ID {
	second, before := h.g.Second, h.before
	n := 0
	for _, id := range ids {
		p := second[id]
		hit := before.get(uint64(p))
		h.parent[id] = p // read only if it is a hit, or overwritten
		now[id/csr.WordBits] |= hit << (id % csr.WordBits)
		ids[n] = id
		n += int(1 - hit)
	}
	return ids[:n]
}

// probe searches for a parent among neighbours.
func (h *Hybrid[P]) probe(id csr.ID, neighbours []P) bool {
	for _, p := range neighbours {
		if h.before.has(uint64(p)) {
			h.parent[id] = p
			return true
		}
	}
	return false
}

// turn prepares a level in direction next after one in direction now.
func (h *Hybrid[P]) turn(now, next direction) error {
	if next == bottomUp {
		if now == topDown {
			return h.gather()
		}
		return nil
	}
	if now == bottomUp && !h.g.Directed() { // else they are queued
		h.listFound()
		if err := h.meet(); err != nil {
			return err
		}
	}
	h.enqueue()
	return nil
}
