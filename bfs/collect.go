package bfs

import (
	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/internal/par"
)

// Grains of the last pass: labels a worker takes at a time, and parents whose labels are asked for at a time.
const (
	collectGrain = 1 << 13
	resolvePiece = 1 << 18
)

// collect brings the tree into official form: for each owned vertex, in label order, its parent's label. First
// neighbours' labels stand ready in label order. Because hub order is stable, the bits that say "visited" and
// "first neighbour" are read in long runs.
func (h *Hybrid) collect(root graph.Global) error {
	visited := h.own(h.visited)
	alone := h.t.Size() == 1
	par.For(h.workers, len(h.tree), collectGrain, func(_, lo, hi int) {
		for l := lo; l < hi; l++ {
			hub := h.g.HubOf[l]
			switch {
			case hub == csr.NoHub || !visited.has(csr.Pos(hub)):
				h.tree[l] = graph.NoParent
			case h.first.has(csr.Pos(hub)):
				h.tree[l] = h.g.FirstLabel[l]
			case alone:
				h.tree[l] = h.g.Label(csr.Hub(h.parent[hub]))
			}
		}
	})
	if h.g.Layout.Owner(root) == h.g.Rank {
		h.tree[h.g.Layout.Local(root)] = root
	}
	if alone {
		return nil
	}
	return h.resolve()
}

// resolve fills in the parents that are not first neighbours: their owners tell their labels.
func (h *Hybrid) resolve() error {
	late := h.queue[:0] // the last frontier is empty
	for i, word := range h.own(h.visited) {
		eachBit(word&^h.first[i], func(b int) { late = append(late, csr.Hub(i*csr.WordBits+b)) })
	}
	rounds := []int64{int64((len(late) + resolvePiece - 1) / resolvePiece)}
	if err := h.t.AllReduce(rounds, comm.Max); err != nil {
		return err
	}
	for range rounds[0] {
		piece := late[:min(len(late), resolvePiece)]
		late = late[len(piece):]
		h.asked = h.asked[:0]
		for _, hub := range piece {
			h.asked = append(h.asked, h.parent[hub])
		}
		err := h.labels.Resolve(h.asked, func(i int, label graph.Global) {
			h.tree[h.g.LocalOf[piece[i]]] = label
		})
		if err != nil {
			return err
		}
	}
	return nil
}
