package bfs

import (
	"math/bits"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
)

// pullGrain is how many bitmap words a worker takes at a time in a bottom-up level.
const pullGrain = 64

// pull is a bottom-up level: each unvisited vertex looks for a visited neighbour. Each worker writes whole words
// of the new bitmap, so nothing is locked; then the ranks gather each other's words.
func (h *Hybrid) pull(at progress) (progress, error) {
	h.visited, h.before = h.before, h.visited
	old, now := h.own(h.before), h.own(h.visited)
	found := make([]int64, h.workers*countStride)
	par.For(h.workers, len(old), pullGrain, func(w, lo, hi int) {
		n := 0
		for i := lo; i < hi; i++ {
			fresh := h.sweep(i, ^old[i]&h.valid(i))
			now[i] = old[i] | fresh
			n += bits.OnesCount64(fresh)
		}
		found[w*countStride] += int64(n)
	})
	for w := 1; w < h.workers; w++ {
		found[0] += found[w*countStride]
	}
	if err := h.t.AllReduce(found[:1], comm.Sum); err != nil {
		return at, err
	}
	at.frontier = found[0]
	return at, h.gather()
}

// countStride keeps the workers' counters on cache lines of their own.
const countStride = 8

// valid has the bits of word i of the own part that stand for a vertex; the last words may have fewer than 64.
func (h *Hybrid) valid(i int) uint64 {
	if left := h.g.OwnCore() - i*csr.WordBits; left < csr.WordBits {
		return 1<<max(left, 0) - 1
	}
	return ^uint64(0)
}

// sweep returns which of the unvisited vertices of word i have a neighbour in the frontier. The first neighbours
// settle most of them: those probes are made for the whole word without a branch, and leave only a bit.
func (h *Hybrid) sweep(i int, unvisited uint64) uint64 {
	if unvisited == 0 {
		return 0
	}
	hub := i * csr.WordBits
	hits := h.probeFirst(hub, unvisited)
	h.first[i] |= hits
	fresh := hits
	for rest := unvisited &^ hits; rest != 0; rest &= rest - 1 {
		b := bits.TrailingZeros64(rest)
		if h.probeRow(csr.Hub(hub + b)) {
			fresh |= 1 << b
		}
	}
	return fresh
}

// probeFirst tests the first neighbours of the unvisited vertices hub, hub+1, ...
func (h *Hybrid) probeFirst(hub int, unvisited uint64) (hits uint64) {
	const dense = 20 // set bits above which testing all 64 is cheaper than finding the set ones
	if bits.OnesCount64(unvisited) < dense {
		for rest := unvisited; rest != 0; rest &= rest - 1 {
			b := bits.TrailingZeros64(rest)
			p := h.g.First[hub+b]
			hits |= h.before[p/csr.WordBits] >> (p % csr.WordBits) & 1 << b
		}
		return hits
	}
	first := h.g.First[hub:min(hub+csr.WordBits, len(h.g.First))]
	for b, p := range first {
		hits |= h.before[p/csr.WordBits] >> (p % csr.WordBits) & 1 << b
	}
	return hits & unvisited
}

// probeRow looks for a parent among the neighbours after the first.
func (h *Hybrid) probeRow(hub csr.Hub) bool {
	row := h.g.Row(hub)
	for _, p := range row[min(1, len(row)):] {
		if h.before.has(p) {
			h.parent[hub] = p
			return true
		}
	}
	return false
}

// turn makes ready for a level in direction next after one in direction now.
func (h *Hybrid) turn(now, next direction) error {
	switch {
	case now == topDown && next == bottomUp:
		return h.gather()
	case now == bottomUp && next == topDown:
		h.rebuildQueue()
	}
	return nil
}

// rebuildQueue lists the vertices that the last bottom-up level found.
func (h *Hybrid) rebuildQueue() {
	h.queue = h.queue[:0]
	old, now := h.own(h.before), h.own(h.visited)
	for i := range now {
		eachBit(now[i]&^old[i], func(b int) {
			h.queue = append(h.queue, csr.Hub(i*csr.WordBits+b))
		})
	}
}
