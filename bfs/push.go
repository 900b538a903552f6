package bfs

import (
	"sort"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
)

// pushGrain is the number of edges that a worker takes at a time in a top-down level. It divides rows of hubs and
// combines short rows.
const pushGrain = 1 << 12

// lane has the results of one worker.
type lane struct {
	next []csr.ID // top-down: owned vertices it claimed
	bins []bin    // top-down: for each other rank, vertices there and their parents

	open   []csr.ID // bottom-up: vertices whose parents may need queries
	missed []csr.ID // bottom-up: vertices of a piece whose first neighbour is not in the frontier; when the result is
	// written, vertices whose parent is another neighbour
}

// push is a top-down level: each vertex of the queue claims its unvisited neighbours, directly on its own rank and by a
// pair to the owner on other ranks. A remote vertex is sent once, because its bit is set in the local bitmap. Its owner
// chooses one of the parents.
func (h *Hybrid[P]) push(at progress) (progress, error) {
	h.to = h.addresses(at)
	total := h.layOut()
	rounds, err := h.rounds(at, total)
	for first := int64(0); rounds > 0 && err == nil; rounds-- {
		last := min(first+bounds.PushEdges, total)
		par.For(h.workers, int(last-first), pushGrain, func(w, lo, hi int) {
			h.expand(&h.lanes[w], first+int64(lo), first+int64(hi))
		})
		if h.t.Size() > 1 {
			err = h.deliver()
		}
		first = last
	}
	if err != nil {
		return at, err
	}
	h.queue = h.queue[:0]
	for w := range h.lanes {
		l := &h.lanes[w]
		h.queue = append(h.queue, l.next...)
		l.next = l.next[:0]
	}
	found := []int64{int64(len(h.queue)), h.queueEdges(), total}
	if err := h.t.AllReduce(found, comm.Sum); err != nil {
		return at, err
	}
	at.frontier, at.edges = found[0], found[1]
	at.unexplored -= found[2]
	return at, nil
}

// rounds returns the number of exchanges of pairs in a level, given the number of edges that leave this rank's part of
// the frontier.
func (h *Hybrid[P]) rounds(at progress, edges int64) (int64, error) {
	if h.mostEdges <= bounds.PushEdges || at.edges > 0 && at.edges <= bounds.PushEdges { // the same on all ranks
		return 1, nil
	}
	most, err := comm.Reduce(h.t, edges, comm.Max)
	return (most + bounds.PushEdges - 1) / bounds.PushEdges, err
}

// queueEdges counts the edges that leave the queue. A separate loop waits only for row offsets.
func (h *Hybrid[P]) queueEdges() int64 {
	return par.Sum(h.workers, len(h.queue), pushGrain, func(_, lo, hi int) (edges int64) {
		for _, u := range h.queue[lo:hi] {
			edges += h.g.Degree(u)
		}
		return edges
	})
}

// layOut numbers the edges that leave the queue and returns their number.
func (h *Hybrid[P]) layOut() int64 {
	h.offsets = h.offsets[:0]
	total := int64(0)
	for _, u := range h.queue {
		h.offsets = append(h.offsets, total)
		total += h.g.Degree(u)
	}
	return total
}

// expand examines the edges numbered [lo, hi) that leave the queue.
func (h *Hybrid[P]) expand(l *lane, lo, hi int64) {
	i := sort.Search(len(h.offsets), func(i int) bool { return h.offsets[i] > lo }) - 1
	for ; lo < hi; i++ {
		u := h.queue[i]
		row := h.g.Row(u)[lo-h.offsets[i]:]
		row = row[:min(int64(len(row)), hi-lo)]
		h.claimAll(l, row, u)
		lo += int64(len(row))
	}
}

// claimAll makes u the parent of each unvisited vertex in row.
func (h *Hybrid[P]) claimAll(l *lane, row []P, u csr.ID) {
	base, stride := h.g.Index(0), P(h.g.Stride)
	at := h.g.Index(u)
	for _, p := range row {
		if !h.visited.claim(uint64(p)) {
			continue
		}
		if local := p - base; local < stride { // wraps around for lower ranks
			h.adopt(l, csr.ID(local), at)
		} else {
			r, id := h.g.Owner(p)
			to := &h.to[r]
			l.bins[to.bin].add(to.number(id), u)
		}
	}
}

// adopt sets the parent of an owned vertex that was just claimed.
func (h *Hybrid[P]) adopt(l *lane, id csr.ID, parent P) {
	h.parent[id] = parent
	l.next = append(l.next, id)
}
