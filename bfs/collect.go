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

const (
	resolvePiece  = 1 << 20 // parents whose labels are resolved at a time
	segmentedFrom = 8       // workers from which vertices are patched by segments; fewer are faster in the order of ids
	segmentRuns   = 64      // of vertices that are patched by segments
)

// segmentsOf returns the segments of a result of n vertices, without runs if few workers write it.
func segmentsOf(localOf []graph.Local, workers, n int) csr.Segments {
	runs := 0
	if workers >= segmentedFrom {
		runs = segmentRuns
	}
	return csr.NewSegments(workers, n, localOf, runs)
}

// writer writes the tree in the official format: the parent's label of each owned vertex, in label order.
type writer[P csr.Pos, T csr.Label] struct {
	*Hybrid[P]
	tree, firstLabel []T  // by local id
	most             bool // the search reached most vertices
}

// writeResult writes the tree. reached is the number of non-leaf vertices that the search reached, of all ranks.
func (h *Hybrid[P]) writeResult(root graph.Global, reached int64) error {
	tree, first := h.result.Parents, h.g.FirstLabel
	if tree.Short != nil {
		return writer[P, int32]{h, tree.Short, first.Short, false}.write(root, reached)
	}
	return writer[P, graph.Global]{h, tree.Long, first.Long, false}.write(root, reached)
}

// write writes the tree by segments. Nearly all non-isolated vertices are reached with their first neighbour as parent,
// so it copies the first neighbours' labels and then patches the other entries, in the worker's cache. After a search
// that reached few vertices, it fills the tree with NoParent and patches the reached vertices.
func (h writer[P, T]) write(root graph.Global, reached int64) error {
	h.most = 2*reached > h.vertices
	if h.kept == 0 {
		clear(h.first)
	}
	for w := range h.lanes {
		h.lanes[w].missed = h.lanes[w].missed[:0]
	}
	par.For(h.workers, len(h.tree), h.segments.Length, func(w, lo, hi int) {
		switch {
		case !h.most:
			csr.ClearLabels(h.tree[lo:hi])
		case h.workers < segmentedFrom:
			csr.CopyLabels(h.tree[lo:hi], h.firstLabel[lo:hi])
		default:
			copy(h.tree[lo:hi], h.firstLabel[lo:hi])
		}
		l := &h.lanes[w]
		unknown := len(l.missed)
		h.segments.EachRun(lo, func(first, last csr.ID) { h.patch(l, T(root), int(first), int(last)) })
		l.missed = l.missed[:unknown+h.writeKnown(l.missed[unknown:])]
	})
	par.For(h.workers, int(h.segments.Hubs), h.wordGrain()*csr.WordBits, func(w, lo, hi int) {
		l := &h.lanes[w]
		unknown := len(l.missed)
		h.patch(l, T(root), lo, hi)
		l.missed = l.missed[:unknown+h.writeKnown(l.missed[unknown:])]
	})
	err := h.resolveParents()
	if h.g.Layout.Owner(root) == h.g.Rank {
		h.tree[h.g.Layout.Local(root)] = T(root)
	}
	return err
}

// patch patches the vertices [lo, hi) but those whose parent is another neighbour than the first, which it lists.
func (h writer[P, T]) patch(l *lane[P], root T, lo, hi int) {
	inner := h.g.OwnInner()
	if lo < inner {
		h.patchInner(l, lo, min(hi, inner))
	}
	if hi > inner {
		h.patchLeaves(root, max(lo, inner), hi)
	}
}

// patchInner patches non-leaf vertices: if the tree was copied, unreached ones, else those whose parent is their first
// neighbour. It lists the others that are reached.
func (h writer[P, T]) patchInner(l *lane[P], lo, hi int) {
	visited, localOf := h.own(h.visited), h.g.LocalOf
	for i := lo / csr.WordBits; i*csr.WordBits < hi; i++ {
		ids := ^uint64(0) << max(lo-i*csr.WordBits, 0) & (^uint64(0) >> max((i+1)*csr.WordBits-hi, 0))
		first := h.first[i]
		if h.most {
			for rest := ids &^ visited[i]; rest != 0; rest &= rest - 1 {
				h.tree[localOf[i*csr.WordBits+bits.TrailingZeros64(rest)]] = T(graph.NoParent)
			}
		} else {
			for rest := ids & first; rest != 0; rest &= rest - 1 {
				l := localOf[i*csr.WordBits+bits.TrailingZeros64(rest)]
				h.tree[l] = h.firstLabel[l]
			}
		}
		for rest := ids & visited[i] &^ first; rest != 0; rest &= rest - 1 {
			l.missed = append(l.missed, csr.ID(i*csr.WordBits+bits.TrailingZeros64(rest)))
		}
	}
}

// patchLeaves patches leaves: a leaf is reached if its neighbour is, or is the root.
func (h writer[P, T]) patchLeaves(root T, from, to int) {
	for ; from < to; from += csr.WordBits {
		prefetch.Ahead(h.g.First, from)
		leaves := h.g.First[from:min(from+csr.WordBits, to)]
		reached := getAll(h.visited, leaves)
		rest := ^uint64(0) >> (csr.WordBits - len(leaves))
		if h.most {
			rest &^= reached
		}
		for ; rest != 0; rest &= rest - 1 {
			b := bits.TrailingZeros64(rest)
			l := h.g.LocalOf[from+b]
			if label := h.firstLabel[l]; label == root || reached>>b&1 != 0 {
				h.tree[l] = label
			} else {
				h.tree[l] = T(graph.NoParent)
			}
		}
	}
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
