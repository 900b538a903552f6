// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"slices"
	"unsafe"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
	"g500/internal/prefetch"
)

// Bounds of the frontier's edges that a worker takes at a time: it divides rows of hubs and combines short
// rows. An edge may take 0.2 us, because atomic operations wait for memory, so a small level needs small pieces.
const (
	leastPush = 1 << 5
	mostPush  = 1 << 12
)

// lane has the results of one worker.
type lane[P csr.Pos] struct {
	edges []edge[P] // edges from the frontier, of a piece, to unvisited vertices
	next  []csr.ID  // owned vertices it claimed by them
	bins  []bin     // for each other rank, vertices there and their parents

	open   []csr.ID // bottom-up: vertices whose parents may need queries
	missed []csr.ID // bottom-up: vertices of a piece without its first two neighbours in the frontier; when the result is
	// written, vertices whose parent is another neighbour
	_ [128]byte // workers write to different cache lines
}

// edge is an edge from the frontier.
type edge[P csr.Pos] struct {
	from csr.ID
	to   P
}

// push is a top-down level: each vertex of the queue claims its unvisited neighbours, directly on its own rank and by a
// pair to the owner on other ranks. A remote vertex is sent once, because its bit is set in the bitmap. If each rank
// has its own bitmap, the owner chooses one of the parents.
func (h *Hybrid[P]) push(at progress) (progress, error) {
	total := h.queueEdges()
	if err := h.pushEdges(at); err != nil {
		return at, err
	}
	h.queue = h.queue[:0]
	found := []int64{h.found(), h.foundEdges(), total}
	if err := h.t.AllReduce(found, comm.Sum); err != nil {
		return at, err
	}
	at.frontier, at.edges = found[0], found[1]
	at.unexplored -= found[2]
	return at, nil
}

// pushEdges examines the edges that leave the queue.
func (h *Hybrid[P]) pushEdges(at progress) error {
	h.to = h.addresses(at)
	total := h.queueEdges()
	rounds, err := h.rounds(at, total)
	for first := int64(0); rounds > 0 && err == nil; rounds-- {
		last := min(first+bounds.PushEdges, total)
		edges := int(last - first)
		par.For(h.workers, edges, par.Grain(h.workers, edges, leastPush, mostPush), func(w, lo, hi int) {
			h.expand(&h.lanes[w], first+int64(lo), first+int64(hi))
		})
		if h.t.Size() > 1 {
			err = h.deliver()
		}
		first = last
	}
	return err
}

// rounds returns the number of exchanges of pairs in a level, given how many edges leave this rank's frontier.
func (h *Hybrid[P]) rounds(at progress, edges int64) (int64, error) {
	if h.mostEdges <= bounds.PushEdges || at.edges > 0 && at.edges <= bounds.PushEdges { // the same on all ranks
		return 1, nil
	}
	most, err := comm.Reduce(h.t, edges, comm.Max)
	return (most + bounds.PushEdges - 1) / bounds.PushEdges, err
}

// expand examines the edges numbered [lo, hi) that leave the queue. It looks up all bits, then claims vertices, then
// stores their parents. Therefore many memory accesses are in flight, and no atomic operation waits for a store.
func (h *Hybrid[P]) expand(l *lane[P], lo, hi int64) {
	l.edges = slices.Grow(l.edges[:0], mostPush)
	h.eachRow(lo, hi, func(u csr.ID, row []P) { l.edges = appendUnvisited(l.edges, h.visited, u, row) })
	claimed := claimAll(h.visited, l.edges)
	base, stride := h.g.Index(0), P(h.g.Stride)
	for _, e := range claimed {
		if local := e.to - base; local < stride { // wraps around for lower ranks
			h.adopt(l, csr.ID(local), h.g.Index(e.from))
		} else {
			r, id := h.g.Owner(e.to)
			to := &h.to[r]
			l.bins[to.bin].add(to.number(id), e.from)
		}
	}
}

// claimAll claims the ends of edges, and returns the edges that claimed one, in place.
func claimAll[P csr.Pos](b bitmap, edges []edge[P]) []edge[P] {
	claimed := edges[:0]
	prefetch.InBatches(edges, func(batch []edge[P]) {
		var words [prefetch.Batch]unsafe.Pointer
		for i, e := range batch {
			words[i] = unsafe.Pointer(&b[uint64(e.to)/csr.WordBits])
		}
		prefetch.Own(words[:len(batch)])
	}, func(batch []edge[P]) {
		for _, e := range batch {
			if b.claim(uint64(e.to)) {
				claimed = append(claimed, e)
			}
		}
	})
	return claimed
}

// appendUnvisited appends the edges from u to the unvisited vertices in row, for which edges must have the capacity. No
// branch depends on a bit.
func appendUnvisited[P csr.Pos](edges []edge[P], visited bitmap, u csr.ID, row []P) []edge[P] {
	n := len(edges)
	edges = edges[:n+len(row)]
	for _, p := range row {
		edges[n] = edge[P]{u, p}
		n += int(1 - visited.load(uint64(p)))
	}
	return edges[:n]
}

// adopt sets the parent of an owned vertex that was just claimed.
func (h *Hybrid[P]) adopt(l *lane[P], id csr.ID, parent P) {
	h.parent[id] = parent
	l.next = append(l.next, id)
}
