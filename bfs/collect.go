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

// writeResult writes the tree in the official format: the parent's label of each owned vertex, in label order. reached
// is the number of non-leaf vertices that the search reached, of all ranks.
//
// Nearly all non-isolated vertices are reached with their first neighbour as parent, so it copies the array of the
// first neighbours' labels and then patches the other entries. After a search that reached few vertices, it fills the
// tree with NoParent and patches the reached vertices. Many workers patch a segment in their caches before they write
// it.
func (h *Hybrid[P]) writeResult(root graph.Global, reached int64) error {
	if h.kept == 0 {
		clear(h.first)
	}
	for w := range h.lanes {
		h.lanes[w].missed = h.lanes[w].missed[:0]
	}
	most, first := 2*reached > h.vertices, &h.g.FirstLabel
	par.For(h.workers, len(h.tree), h.segments.Length, func(w, lo, hi int) {
		tree := h.tree[lo:hi]
		switch {
		case !most:
			for i := range tree {
				tree[i] = graph.NoParent
			}
		case first.Long != nil:
			copy(tree, first.Long[lo:hi])
		case h.workers < segmentedFrom:
			csr.Widen(tree, first.Short[lo:hi])
		default:
			l := &h.lanes[w]
			l.labels = append(l.labels[:0], first.Short[lo:hi]...)
			patcher[P, int32]{h, l, most, root, l.labels, lo}.patchSegment()
			csr.Widen(tree, l.labels)
			return
		}
		patcher[P, graph.Global]{h, &h.lanes[w], most, root, tree, lo}.patchSegment()
	})
	par.For(h.workers, int(h.segments.Hubs), h.wordGrain()*csr.WordBits, func(w, lo, hi int) {
		p := patcher[P, graph.Global]{h, &h.lanes[w], most, root, h.tree, 0}
		unknown := len(p.lane.missed)
		p.patch(csr.ID(lo), csr.ID(hi))
		p.writeKnown(unknown)
	})
	err := h.resolveParents()
	if h.g.Layout.Owner(root) == h.g.Rank {
		h.tree[h.g.Layout.Local(root)] = root
	}
	return err
}

// patcher patches a part of the tree, after a copy of the first neighbours' labels or, if a search reached few vertices,
// of NoParent.
type patcher[P csr.Pos, T int32 | graph.Global] struct {
	*Hybrid[P]
	lane *lane[P]
	most bool // the labels were copied
	root graph.Global
	part []T
	base int // first local id of the part
}

// patchSegment patches all vertices of a part that is a segment, but the hubs.
func (p patcher[P, T]) patchSegment() {
	unknown := len(p.lane.missed)
	p.segments.EachRun(p.base, p.patch)
	p.writeKnown(unknown)
}

// patch patches vertices [lo, hi), and lists those whose parent is another neighbour than the first.
func (p patcher[P, T]) patch(lo, hi csr.ID) {
	inner := csr.ID(p.g.OwnInner())
	if lo < inner {
		p.patchInner(int(lo), int(min(hi, inner)))
	}
	if hi > inner {
		p.patchLeaves(int(max(lo, inner)), int(hi))
	}
}

func (p patcher[P, T]) set(l graph.Local, label graph.Global) { p.part[int(l)-p.base] = T(label) }

// patchInner patches non-leaf vertices: if labels were copied, unreached ones, else those whose parent is their first
// neighbour.
func (p patcher[P, T]) patchInner(lo, hi int) {
	visited, localOf, l := p.own(p.visited), p.g.LocalOf, p.lane
	for i := lo / csr.WordBits; i*csr.WordBits < hi; i++ {
		start := i * csr.WordBits
		ids := ^uint64(0) << max(lo-start, 0) & (^uint64(0) >> max(start+csr.WordBits-hi, 0))
		first := p.first[i]
		if p.most {
			for rest := ids &^ visited[i]; rest != 0; rest &= rest - 1 {
				p.set(localOf[start+bits.TrailingZeros64(rest)], graph.NoParent)
			}
		} else {
			for rest := ids & first; rest != 0; rest &= rest - 1 {
				l := localOf[start+bits.TrailingZeros64(rest)]
				p.set(l, p.g.FirstLabel.At(l))
			}
		}
		for rest := ids & visited[i] &^ first; rest != 0; rest &= rest - 1 {
			l.missed = append(l.missed, csr.ID(start+bits.TrailingZeros64(rest)))
		}
	}
}

// patchLeaves patches leaves: a leaf is reached if its neighbour is, or is the root.
func (p patcher[P, T]) patchLeaves(from, to int) {
	for ; from < to; from += csr.WordBits {
		prefetch.Ahead(p.g.First, from)
		leaves := p.g.First[from:min(from+csr.WordBits, to)]
		reached := getAll(p.visited, leaves)
		rest := ^uint64(0) >> (csr.WordBits - len(leaves))
		if p.most {
			rest &^= reached
		}
		for ; rest != 0; rest &= rest - 1 {
			b := bits.TrailingZeros64(rest)
			l := p.g.LocalOf[from+b]
			label := p.g.FirstLabel.At(l)
			if label != p.root && reached>>b&1 == 0 {
				label = graph.NoParent
			}
			p.set(l, label)
		}
	}
}

// writeKnown writes the parents of the listed vertices from index first on whose labels this rank has. The others stay
// in the list.
func (p patcher[P, T]) writeKnown(first int) {
	own, inner := p.g.Index(0), P(p.g.OwnInner())
	part, base, localOf, parent, ids := p.part, p.base, p.g.LocalOf, p.parent, p.lane.missed
	unknown := first
	for _, id := range ids[first:] {
		if q := parent[id] - own; q < inner { // wraps around for lower ranks
			part[int(localOf[id])-base] = T(p.g.Label(csr.ID(q)))
		} else if label, known := p.g.KnownLabel(own + q); known {
			part[int(localOf[id])-base] = T(label)
		} else {
			ids[unknown] = id
			unknown++
		}
	}
	p.lane.missed = ids[:unknown]
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
