// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"math/bits"

	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/internal/par"
	"g500/internal/prefetch"
)

// Work sizes of writeResult: labels that a worker takes at a time, and parents whose labels are resolved at a time.
const (
	copyGrain    = 1 << 14
	resolvePiece = 1 << 20
)

// writeResult writes the tree in the official format: the parent's label of each owned vertex, in label order. reached
// is the number of non-leaf vertices that the search reached, of all ranks.
//
// Nearly all non-isolated vertices are reached with their first neighbour as parent, so it copies the array of the
// first neighbours' labels and then patches the other entries. After a search that reached few vertices, it fills the
// tree with NoParent and patches the reached vertices.
func (h *Hybrid[P]) writeResult(root graph.Global, reached int64) error {
	most := 2*reached > h.vertices
	if h.kept == 0 {
		clear(h.first)
	}
	par.For(h.workers, len(h.tree), copyGrain, func(_, lo, hi int) {
		tree := h.tree[lo:hi]
		if most {
			h.g.FirstLabel.Copy(tree, lo)
			return
		}
		for i := range tree {
			tree[i] = graph.NoParent
		}
	})
	h.patchLeaves(root, most)
	for w := range h.lanes {
		h.lanes[w].missed = h.lanes[w].missed[:0]
	}
	par.For(h.workers, len(h.first), h.wordGrain(), func(w, lo, hi int) {
		h.patchInner(most, lo, hi)
		l := &h.lanes[w]
		unknown := len(l.missed)
		l.missed = h.notFirst(l.missed, lo, hi)
		l.missed = l.missed[:unknown+h.writeKnown(l.missed[unknown:])]
	})
	err := h.resolveParents()
	if h.g.Layout.Owner(root) == h.g.Rank {
		h.tree[h.g.Layout.Local(root)] = root
	}
	return err
}

// patchInner patches non-leaf vertices in words [lo, hi) of the own part: if the tree was copied (most), unreached
// ones, else those whose parent is their first neighbour.
func (h *Hybrid[P]) patchInner(most bool, lo, hi int) {
	visited := h.own(h.visited)
	for i := lo; i < hi; i++ {
		rest := h.first[i]
		if most {
			rest = h.valid(i) &^ visited[i]
		}
		for ; rest != 0; rest &= rest - 1 {
			l := h.g.LocalOf[i*csr.WordBits+bits.TrailingZeros64(rest)]
			if most {
				h.tree[l] = graph.NoParent
			} else {
				h.tree[l] = h.g.FirstLabel.At(l)
			}
		}
	}
}

// patchLeaves patches the leaves: a leaf is reached if its neighbour is, or is the root.
func (h *Hybrid[P]) patchLeaves(root graph.Global, most bool) {
	inner := h.g.OwnInner()
	par.For(h.workers, h.g.Connected()-inner, h.wordGrain()*csr.WordBits, func(_, lo, hi int) {
		for ; lo < hi; lo += csr.WordBits {
			prefetch.Ahead(h.g.First, inner+lo)
			prefetch.Ahead(h.g.LocalOf, inner+lo)
			leaves := h.g.First[inner+lo : inner+min(lo+csr.WordBits, hi)]
			reached := getAll(h.visited, leaves)
			rest := ^uint64(0) >> (csr.WordBits - len(leaves))
			if most {
				rest &^= reached
			}
			for ; rest != 0; rest &= rest - 1 {
				b := bits.TrailingZeros64(rest)
				l := h.g.LocalOf[inner+lo+b]
				if label := h.g.FirstLabel.At(l); label == root || reached>>b&1 != 0 {
					h.tree[l] = label
				} else {
					h.tree[l] = graph.NoParent
				}
			}
		}
	})
}

// notFirst appends to list the reached vertices in own words [lo, hi) whose parent is not their first neighbour.
func (h *Hybrid[P]) notFirst(list []csr.ID, lo, hi int) []csr.ID {
	visited := h.own(h.visited)
	for i := lo; i < hi; i++ {
		for rest := visited[i] &^ h.first[i]; rest != 0; rest &= rest - 1 {
			list = append(list, csr.ID(i*csr.WordBits+bits.TrailingZeros64(rest)))
		}
	}
	return list
}

// writeKnown writes the parents of some vertices whose labels this rank has, and moves the other vertices to the front.
// It returns their number.
func (h *Hybrid[P]) writeKnown(ids []csr.ID) (unknown int) {
	own, inner := h.g.Index(0), P(h.g.OwnInner())
	for _, id := range ids {
		if p := h.parent[id] - own; p < inner { // wraps around for lower ranks
			h.tree[h.g.LocalOf[id]] = h.g.Label(csr.ID(p))
		} else if label, known := h.g.KnownLabel(own + p); known {
			h.tree[h.g.LocalOf[id]] = label
		} else {
			ids[unknown] = id
			unknown++
		}
	}
	return unknown
}

// resolveParents writes the parents of the vertices in the lanes, with labels from the ranks that own them.
func (h *Hybrid[P]) resolveParents() error {
	rest := h.queue[:0] // the last frontier is empty
	for w := range h.lanes {
		rest = append(rest, h.lanes[w].missed...)
	}
	most, err := comm.Reduce(h.t, int64(len(rest)), comm.Max)
	if err != nil {
		return err
	}
	for ; most > 0; most -= resolvePiece {
		items := min(most, resolvePiece) * int64(h.t.Size())
		h.labels.Exchange = func(send [][]byte) ([][]byte, error) { return h.exchangeShort(send, items) }
		piece := rest[:min(len(rest), resolvePiece)]
		rest = rest[len(piece):]
		err := h.labels.Resolve(len(piece), func(i int) P { return h.parent[piece[i]] },
			func(i int, label graph.Global) { h.tree[h.g.LocalOf[piece[i]]] = label })
		if err != nil {
			return err
		}
	}
	return nil
}
