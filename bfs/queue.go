// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"math/bits"
	"slices"
	"sort"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
)

const (
	queuePiece  = 64      // consecutive vertices of the queue whose edges are counted together
	queuePieces = 4       // such pieces that a worker takes at a time
	shortQueue  = 1 << 10 // vertices that one worker copies faster than it starts a loop of many
)

// found returns the number of vertices that workers have listed for the next frontier.
func (h *Hybrid[P]) found() (n int64) {
	for w := range h.lanes {
		n += int64(len(h.lanes[w].next))
	}
	return n
}

// foundEdges returns the number of edges that leave the next frontier or, if it is long in an undirected graph, of all
// edges on this rank: the next level is probably bottom-up, and counting takes a random access per vertex.
func (h *Hybrid[P]) foundEdges() int64 {
	if !h.g.Directed() && isLong(h.found(), int64(h.g.OwnInner())) {
		return h.g.Out.Rows[h.g.OwnInner()]
	}
	h.enqueue()
	return h.queueEdges()
}

// countArcs queues the vertices that the last bottom-up level found. It returns how many arcs leave them on all ranks.
func (h *Hybrid[P]) countArcs() (int64, error) {
	h.listFound()
	return comm.Reduce(h.t, h.foundEdges(), comm.Sum)
}

// dropFound empties the queue and the lists of the next frontier.
func (h *Hybrid[P]) dropFound() {
	h.queue = h.queue[:0]
	for w := range h.lanes {
		if len(h.lanes[w].next) > 0 {
			h.lanes[w].next = h.lanes[w].next[:0]
		}
	}
}

// enqueue moves the listed vertices of the next frontier to the queue, and numbers the edges that leave it.
func (h *Hybrid[P]) enqueue() {
	starts, n := make([]int, len(h.lanes)), len(h.queue)
	for w := range h.lanes {
		starts[w] = n
		n += len(h.lanes[w].next)
	}
	h.queue = slices.Grow(h.queue, n-len(h.queue))[:n]
	workers := h.workers
	if n <= shortQueue {
		workers = 1
	}
	par.For(workers, len(h.lanes), 1, func(_, w, _ int) {
		if next := h.lanes[w].next; len(next) > 0 { // an idle worker's lane stays in its core's cache
			copy(h.queue[starts[w]:], next)
			h.lanes[w].next = next[:0]
		}
	})
	h.numberEdges()
}

// numberEdges numbers the edges that leave the queue, in its order.
func (h *Hybrid[P]) numberEdges() {
	pieces := (len(h.queue) + queuePiece - 1) / queuePiece
	h.offsets = slices.Grow(h.offsets[:0], pieces+1)[:pieces+1]
	h.offsets[0] = 0
	par.For(h.workers, pieces, queuePieces, func(_, lo, hi int) {
		for k := lo; k < hi; k++ {
			edges := int64(0)
			for _, u := range h.queue[k*queuePiece : min((k+1)*queuePiece, len(h.queue))] {
				edges += h.g.Out.Degree(u)
			}
			h.offsets[k+1] = edges
		}
	})
	for k := range pieces {
		h.offsets[k+1] += h.offsets[k]
	}
}

// queueEdges returns the number of edges that leave the queue.
func (h *Hybrid[P]) queueEdges() int64 { return h.offsets[len(h.offsets)-1] }

// eachRow calls body with the edges numbered [lo, hi) that leave the queue, by row.
func (h *Hybrid[P]) eachRow(lo, hi int64, body func(u csr.ID, row []P)) {
	k := sort.Search(len(h.offsets), func(k int) bool { return h.offsets[k] > lo }) - 1
	first := h.offsets[k] // number of the first edge of vertex i of the queue
	for i := k * queuePiece; first < hi; i++ {
		u := h.queue[i]
		row := h.g.Out.Row(u)
		n := int64(len(row))
		if from, to := max(lo-first, 0), min(hi-first, n); from < to {
			body(u, row[from:to])
		}
		first += n
	}
}

// listFound lists the vertices that the last bottom-up level found.
func (h *Hybrid[P]) listFound() {
	old, now := h.own(h.before), h.own(h.visited)
	par.For(h.workers, len(now), clearGrain, func(w, lo, hi int) {
		l := &h.lanes[w]
		for i := lo; i < hi; i++ {
			for word := now[i] &^ old[i]; word != 0; word &= word - 1 {
				l.next = append(l.next, csr.ID(i*csr.WordBits+bits.TrailingZeros64(word)))
			}
		}
	})
}
