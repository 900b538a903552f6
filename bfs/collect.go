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

// writer writes the tree in the official format: the parent's label of each owned vertex, in label order.
type writer[P csr.Pos, T csr.Label] struct {
	*Hybrid[P]
	tree, firstLabel []T // by local id
}

// writeResult writes the tree. reached is the number of non-leaf vertices that the search reached, of all ranks.
func (h *Hybrid[P]) writeResult(root graph.Global, reached int64) error {
	tree, first := h.result.Parents, h.g.FirstLabel
	if tree.Short != nil {
		return writer[P, int32]{h, tree.Short, first.Short}.write(root, reached)
	}
	return writer[P, graph.Global]{h, tree.Long, first.Long}.write(root, reached)
}

// write writes the tree. Nearly all non-isolated vertices are reached with their first neighbour as parent, so it copies
// the array of the first neighbours' labels and then patches the other entries. After a search that reached few
// vertices, it fills the tree with NoParent and patches the reached vertices.
func (h writer[P, T]) write(root graph.Global, reached int64) error {
	most := 2*reached > h.vertices
	if h.kept == 0 {
		clear(h.first)
	}
	par.For(h.workers, len(h.tree), copyGrain, func(_, lo, hi int) {
		if most {
			csr.CopyLabels(h.tree[lo:hi], h.firstLabel[lo:hi])
		} else {
			csr.ClearLabels(h.tree[lo:hi])
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
		h.tree[h.g.Layout.Local(root)] = T(root)
	}
	return err
}

// patchInner patches non-leaf vertices in words [lo, hi) of the own part: if the tree was copied (most), unreached
// ones, else those whose parent is their first neighbour.
func (h writer[P, T]) patchInner(most bool, lo, hi int) {
	visited := h.own(h.visited)
	for i := lo; i < hi; i++ {
		rest := h.first[i]
		if most {
			rest = h.valid(i) &^ visited[i]
		}
		for ; rest != 0; rest &= rest - 1 {
			l := h.g.LocalOf[i*csr.WordBits+bits.TrailingZeros64(rest)]
			if most {
				h.tree[l] = T(graph.NoParent)
			} else {
				h.tree[l] = h.firstLabel[l]
			}
		}
	}
}

// patchLeaves patches the leaves: a leaf is reached if its neighbour is, or is the root.
func (h writer[P, T]) patchLeaves(root graph.Global, most bool) {
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
				if label := h.firstLabel[l]; label == T(root) || reached>>b&1 != 0 {
					h.tree[l] = label
				} else {
					h.tree[l] = T(graph.NoParent)
				}
			}
		}
	})
}

// notFirst appends the reached vertices in words [lo, hi) of the own part whose parent is not their first neighbour to
// list.
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
func (h writer[P, T]) writeKnown(ids []csr.ID) (unknown int) {
	own, inner := h.g.Index(0), P(h.g.OwnInner())
	tree, localOf, parent := h.tree, h.g.LocalOf, h.parent
	for _, id := range ids {
		if p := parent[id] - own; p < inner { // wraps around for lower ranks
			tree[localOf[id]] = T(h.g.Label(csr.ID(p)))
		} else if label, known := h.g.KnownLabel(own + p); known {
			tree[localOf[id]] = T(label)
		} else {
			ids[unknown] = id
			unknown++
		}
	}
	return unknown
}

// resolveParents writes the parents of the vertices in the lanes, with labels from the ranks that own them.
func (h writer[P, T]) resolveParents() error {
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
			func(i int, label graph.Global) { h.tree[h.g.LocalOf[piece[i]]] = T(label) })
		if err != nil {
			return err
		}
	}
	return nil
}
