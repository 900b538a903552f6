// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"g500/graph/csr"
	"g500/internal/par"
)

// bin has the pairs of one worker for one other rank, or for all ranks of a node, in a level: vertices there
// and vertices of this rank that may be their parents. The number of a vertex in the bin depends on the address.
//
// Rows are sorted by id, so pairs have runs of one parent with rising vertices. At the start of a run, a pair is two
// varints: twice the number of the vertex, and the parent's id. The next pairs are one varint: twice the number of
// vertices between this one and the previous one, plus one.
type bin struct {
	message        []byte
	parent, vertex csr.ID // of the last pair; parent is NoID before the first
}

// newBins returns one empty bin per rank.
func newBins(ranks int) []bin {
	bins := make([]bin, ranks)
	for r := range bins {
		bins[r].clear()
	}
	return bins
}

func (b *bin) clear() { b.message, b.parent = b.message[:0], csr.NoID }

func (b *bin) add(vertex, parent csr.ID) {
	if parent == b.parent && vertex > b.vertex {
		b.message = binary.AppendUvarint(b.message, uint64(vertex-b.vertex-1)<<1|1)
	} else {
		b.message = binary.AppendUvarint(b.message, uint64(vertex)<<1)
		b.message = binary.AppendUvarint(b.message, uint64(parent))
	}
	b.parent, b.vertex = parent, vertex
}

// address determines the numbers of a rank's vertices in bins.
type address struct {
	bin          int
	place, ranks csr.ID // index of the rank among the ranks of the bin, and their number
}

// addressesOf returns addresses with one bin per group of ranks, given the group of each rank.
func addressesOf(groups []int) []address {
	to, inGroup := make([]address, len(groups)), make([]csr.ID, len(groups))
	for r, group := range groups {
		to[r] = address{bin: group, place: inGroup[group]}
		inGroup[group]++
	}
	for r, group := range groups {
		to[r].ranks = inGroup[group]
	}
	return to
}

// number returns the number of a vertex in the bin.
func (a address) number(id csr.ID) csr.ID { return id*a.ranks + a.place }

// id returns the vertex with a number, if the rank owns it.
func (a address) id(number csr.ID) (id csr.ID, is bool) {
	return number / a.ranks, number%a.ranks == a.place
}

// readBin calls pair for the pairs of a bin, in order.
func readBin(message []byte, pair func(vertex, parent csr.ID)) {
	var head, vertex, parent uint64
	for len(message) > 0 {
		head, message = varint(message)
		if head&1 == 1 {
			vertex += head>>1 + 1
		} else {
			vertex = head >> 1
			parent, message = varint(message)
		}
		pair(csr.ID(vertex), csr.ID(parent))
	}
}

// varint returns the number at the front of a message, and the rest. It panics if there is no number. All ranks run the
// same version of the program, so messages are well formed.
func varint(message []byte) (number uint64, rest []byte) {
	number, n := binary.Uvarint(message)
	if n <= 0 {
		panic("bfs: a message is damaged")
	}
	return number, message[n:]
}

// partBytes returns the number of bytes of one worker's bin in a message: none if it is empty.
func partBytes(part []byte) int {
	if len(part) == 0 {
		return 0
	}
	return (bits.Len(uint(len(part)))+6)/7 + len(part)
}

// putPart writes the length of one worker's bin, and the bin, which is not empty, to a message.
func putPart(message, part []byte) {
	copy(message[binary.PutUvarint(message, uint64(len(part))):], part)
}

// part is the bin of one worker of a rank.
type part struct {
	rank    int
	message []byte
}

// partsOf returns the bins in the messages of all ranks.
func partsOf(messages [][]byte) (parts []part) {
	for r, message := range messages {
		for len(message) > 0 {
			length, rest := varint(message)
			parts = append(parts, part{r, rest[:length]})
			message = rest[length:]
		}
	}
	return parts
}

// addresses returns the addresses of a level's pairs: from node to node or from rank to rank. The decision is the same
// on all ranks. It uses an upper bound of the number of pairs, the edges of the frontier. After a bottom-up level these
// are unknown, and few edges leave each vertex.
func (h *Hybrid[P]) addresses(at progress) []address {
	if h.byNode != nil && bounds.PairsToNodes(max(at.edges, at.frontier), int64(h.t.Size())) {
		return h.byNode
	}
	return h.byRank
}

// deliver sends the bins to the owners of their vertices and claims the vertices that other ranks sent here.
func (h *Hybrid[P]) deliver() error {
	h.merge()
	got, err := h.exchangeBins()
	if err != nil {
		return err
	}
	parts := partsOf(got)
	par.For(h.workers, len(parts), 1, func(w, i, _ int) { h.take(&h.lanes[w], parts[i]) })
	return nil
}

// mergeGrain is the number of bins of workers that a worker merges at a time.
const mergeGrain = 4

// merge writes the bins of all workers to one message per rank or node, and empties the bins.
func (h *Hybrid[P]) merge() {
	lanes := len(h.lanes)
	starts := make([]int, len(h.bins)*lanes) // of each bin in its message
	for r := range h.bins {
		size := 0
		for w := range h.lanes {
			starts[r*lanes+w] = size
			size += partBytes(h.lanes[w].bins[r].message)
		}
		h.bins[r] = slices.Grow(h.bins[r][:0], size)[:size]
	}
	par.For(h.workers, len(starts), mergeGrain, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			r := i / lanes
			if b := &h.lanes[i%lanes].bins[r]; len(b.message) > 0 {
				putPart(h.bins[r][starts[i]:], b.message)
				b.clear()
			}
		}
	})
}

// exchangeBins sends the bins to their addresses. This rank receives its own pairs for its node, and ignores them: they
// are for the other ranks there.
func (h *Hybrid[P]) exchangeBins() ([][]byte, error) {
	if &h.to[0] == &h.byRank[0] {
		return h.t.AllToAll(h.bins)
	}
	got, err := h.gatherer.twoLevel.ToNodes(h.bins[:h.gatherer.twoLevel.Nodes()])
	if err == nil {
		got[h.t.Rank()] = nil
	}
	return got, err
}

// exchangeShort is an AllToAll, from node to node or from rank to rank, of messages with items of a few bytes. items is
// the number on all ranks.
func (h *Hybrid[P]) exchangeShort(send [][]byte, items int64) ([][]byte, error) {
	if h.byNode != nil && bounds.ItemsToNodes(items, int64(h.t.Size())) {
		return h.gatherer.twoLevel.AllToAll(send)
	}
	return h.t.AllToAll(send)
}

// settledAtOnce is the number of received pairs whose vertices are claimed together.
const settledAtOnce = 1 << 8

// take claims the vertices of a bin that this rank owns, and stores their parents.
func (h *Hybrid[P]) take(l *lane[P], from part) {
	me := h.to[h.g.Rank]
	l.edges = slices.Grow(l.edges[:0], settledAtOnce)
	settle := func() {
		claimed := l.edges // by the sender, if bitmaps are shared
		if !h.shared {
			claimed = claimAll(h.visited, claimed)
		}
		for _, e := range claimed {
			at, _ := h.g.Find(from.rank, e.from) // a neighbour, or a root that is a leaf
			h.adopt(l, csr.ID(e.to-h.g.Index(0)), at)
		}
		l.edges = l.edges[:0]
	}
	readBin(from.message, func(number, parent csr.ID) {
		id, is := me.id(number)
		if !is {
			return
		}
		if l.edges = append(l.edges, edge[P]{parent, h.g.Index(id)}); len(l.edges) == settledAtOnce {
			settle()
		}
	})
	settle()
}
