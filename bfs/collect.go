package bfs

import (
	"math/bits"

	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/internal/par"
)

// Grains of relabelling: labels a worker takes at a time, and parents whose labels are resolved at a time.
const (
	relabelGrain = 1 << 13
	resolvePiece = 1 << 18
)

// relabel brings the tree into official form: for each owned vertex, in label order, its parent's label.
//
// Nearly all parents are first neighbours, whose labels stand ready in label order; because hub order is stable,
// the bits that say so are read in long runs. The few other parents are filled in afterwards.
func (h *Hybrid) relabel(root graph.Global) error {
	par.For(h.workers, len(h.tree), relabelGrain, h.takeFirst)
	var err error
	if h.t.Size() == 1 {
		par.For(h.workers, len(h.first), relabelGrain/csr.WordBits, h.lookUpParents)
	} else {
		err = h.resolveParents()
	}
	if h.g.Layout.Owner(root) == h.g.Rank {
		h.tree[h.g.Layout.Local(root)] = root
	}
	return err
}

// takeFirst gives the vertices [lo, hi), in label order, their first neighbours as parents, or none. It has no
// branch that depends on the data: NoParent has all bits set, and a vertex without an edge has NoParent for a
// first neighbour, whatever bit is looked at.
func (h *Hybrid) takeFirst(_, lo, hi int) {
	hubs, labels, tree := h.g.HubOf[lo:hi], h.g.FirstLabel[lo:hi], h.tree[lo:hi]
	labels, tree = labels[:len(hubs)], tree[:len(hubs)]
	end := csr.Hub(len(h.first) * csr.WordBits)
	for i, hub := range hubs {
		if hub >= end {
			hub = 0
		}
		isFirst := h.first[hub/csr.WordBits] >> (hub % csr.WordBits) & 1
		tree[i] = labels[i] | graph.Global(isFirst-1)
	}
}

// eachNotFirst calls body for each vertex in words [lo, hi) of the own part that was reached and whose parent is not
// its first neighbour.
func (h *Hybrid) eachNotFirst(lo, hi int, body func(hub csr.Hub)) {
	visited := h.own(h.visited)
	for i := lo; i < hi; i++ {
		for rest := visited[i] &^ h.first[i]; rest != 0; rest &= rest - 1 {
			body(csr.Hub(i*csr.WordBits + bits.TrailingZeros64(rest)))
		}
	}
}

// lookUpParents fills in the other parents where this rank owns them all.
func (h *Hybrid) lookUpParents(_, lo, hi int) {
	h.eachNotFirst(lo, hi, func(hub csr.Hub) {
		h.tree[h.g.LocalOf[hub]] = h.g.Label(csr.Hub(h.parent[hub]))
	})
}

// resolveParents fills in the other parents where their labels come from the ranks that own them.
func (h *Hybrid) resolveParents() error {
	late := h.queue[:0] // the last frontier is empty
	h.eachNotFirst(0, len(h.first), func(hub csr.Hub) { late = append(late, hub) })
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
