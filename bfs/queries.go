// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"encoding/binary"
	"slices"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
	"g500/internal/trace"
)

// On several nodes, ranks of large graphs replicate only the bits of the vertices of highest degree, the first ids of
// each rank. In a bottom-up level nearly every vertex finds a parent among these. For the remaining open vertices,
// ranks query the owners of the other neighbours, or replicate all bits if that takes fewer bytes.

// eachUnknown calls body with the neighbours of a vertex whose bits may be out of date on this rank.
func (h *Hybrid[P]) eachUnknown(id csr.ID, body func(P)) {
	row := h.g.Row(id)
	for i := len(row) - 1; i >= 0 && !h.g.IsReplicated(row[i]); i-- { // by falling id
		if h.g.IsGhost(row[i]) && !h.before.has(uint64(row[i])) {
			body(row[i])
		}
	}
}

// isOpen reports whether the row of a vertex without a parent may have neighbours that are not replicated.
func (h *Hybrid[P]) isOpen(row []P) bool { return len(row) > 0 && !h.g.IsReplicated(row[len(row)-1]) }

// countUnknown counts the unknown neighbours of open vertices.
func (h *Hybrid[P]) countUnknown() int64 {
	if h.gatherer.replicatesAll() {
		return 0
	}
	return par.Sum(h.workers, len(h.lanes), 1, func(_, i, _ int) (n int64) {
		for _, id := range h.lanes[i].open {
			h.eachUnknown(id, func(P) { n++ })
		}
		return n
	})
}

// settleOpen searches for parents of open vertices among their unknown neighbours, whose number on all ranks is given,
// and returns the number of vertices of all ranks that found one. The owners reply with the bits before the level.
func (h *Hybrid[P]) settleOpen(unknown int64) (int64, error) {
	var err error
	x := h.gatherer
	hidden := int64(x.g.Stride-x.g.Replicated) / 8 // bytes of a rank's bits that are not replicated
	if words := int64(x.twoLevel.Nodes()-1) * int64(x.t.Size()) * hidden; bounds.QueriesPay(unknown, words) {
		err = h.query()
	} else {
		err = x.gatherIDs(h.before, x.g.Replicated, x.g.Stride)
		x.carryOver(h.visited, h.before)
	}
	if err != nil {
		return 0, err
	}
	return comm.Reduce(h.t, h.probeOpen(), comm.Sum)
}

// probeOpen examines the rows of open vertices again, and returns the number of parents found.
func (h *Hybrid[P]) probeOpen() (found int64) {
	now := h.own(h.visited)
	for i := range h.lanes {
		for _, id := range h.lanes[i].open {
			row := h.g.Row(id)
			switch {
			case h.before.has(uint64(row[0])):
				h.first.set(uint64(id))
			case !h.probe(id, row[1:]):
				continue
			}
			now.set(uint64(id))
			found++
		}
	}
	return found
}

// query receives the bits of all unknown neighbours of open vertices.
func (h *Hybrid[P]) query() error {
	h.queried = h.queried[:0]
	for i := range h.lanes {
		for _, id := range h.lanes[i].open {
			h.eachUnknown(id, func(p P) { h.queried = append(h.queried, p) })
		}
	}
	if err := h.queries.post(h.queried); err != nil {
		return err
	}
	return h.queries.reply(h.before, h.before, h.visited)
}

// queryForLeaves sends queries for the neighbours of leaves that are not replicated. Their owners reply at the end of
// each search. The queries are part of kernel 1 because they are the same for all searches. It is collective.
func (h *Hybrid[P]) queryForLeaves() error {
	if h.gatherer.replicatesAll() {
		return nil
	}
	h.queries = newQueries(h.t, h.g, h.gatherer.twoLevel)
	h.ofLeaves = newQueries(h.t, h.g, h.gatherer.twoLevel)
	var ghosts []P
	for _, p := range h.g.First[h.g.OwnInner():] {
		if h.g.IsGhost(p) {
			ghosts = append(ghosts, p)
		}
	}
	return h.ofLeaves.post(ghosts)
}

// updateLeaves receives the bits of all neighbours of leaves, after the last level, whose direction is given.
func (h *Hybrid[P]) updateLeaves(last direction) error {
	if h.leaves == 0 {
		return nil
	}
	if last == topDown {
		if err := h.gather(); err != nil {
			return err
		}
	}
	if h.ofLeaves == nil {
		return nil
	}
	return h.ofLeaves.reply(h.visited, h.visited)
}

// queries has the vertices of other ranks whose visited bits the ranks of a node need. The ranks of a node merge their
// queries, so each vertex is queried once. Each of them has all queries, so replies contain only bits. One message with
// queries and one with replies are sent between two nodes.
type queries[P csr.Pos] struct {
	t        comm.Transport
	g        *csr.Graph[P]
	twoLevel *comm.TwoLevel
	node     int
	nodes    []int // of ranks

	own     []P        // positions that this rank queries, sorted
	queried []P        // positions that all ranks of this node query
	index   []P        // index of each of these on this rank; None if another rank queries it
	here    [][]csr.ID // by node: own vertices that the node queries, in the order of the queries
	send    [][]byte   // by node
}

func newQueries[P csr.Pos](t comm.Transport, g *csr.Graph[P], twoLevel *comm.TwoLevel) *queries[P] {
	nodes := t.Nodes()
	return &queries[P]{
		t: t, g: g, twoLevel: twoLevel, node: nodes[g.Rank], nodes: nodes,
		here: make([][]csr.ID, twoLevel.Nodes()), send: make([][]byte, twoLevel.Nodes()),
	}
}

// post sends queries for ghosts, given by their indices in any order, which it sorts in place. It is collective.
func (q *queries[P]) post(ghosts []P) error {
	defer comm.CountAs(q.t, trace.QueriesPayload)()
	slices.Sort(ghosts)
	ghosts = slices.Compact(ghosts)
	q.own = q.own[:0]
	for _, p := range ghosts {
		q.own = append(q.own, P(q.g.Position(q.g.Owner(p)))) // also in rising order
	}
	if err := q.merge(); err != nil {
		return err
	}
	q.indexOwn(ghosts)
	for node := range q.send {
		q.send[node], q.here[node] = q.send[node][:0], q.here[node][:0]
	}
	last := make([]P, len(q.send)) // by node: the last query plus one
	for _, p := range q.queried {
		r, id := q.g.Vertex(int(p))
		switch node := q.nodes[r]; {
		case node == q.node && r == q.g.Rank:
			q.here[node] = append(q.here[node], id)
		case node != q.node && q.twoLevel.Leader(node) == q.g.Rank:
			q.send[node] = binary.AppendUvarint(q.send[node], uint64(p-last[node]))
			last[node] = p + 1
		}
	}
	got, err := q.twoLevel.ToNodes(q.send)
	if err != nil {
		return err
	}
	for r, message := range got {
		node := q.nodes[r]
		if node == q.node {
			continue
		}
		eachQuery(message, func(p P) {
			if owner, id := q.g.Vertex(int(p)); owner == q.g.Rank {
				q.here[node] = append(q.here[node], id)
			}
		})
	}
	return nil
}

// indexOwn stores the indices of this rank's ghosts among the queries of the node.
func (q *queries[P]) indexOwn(ghosts []P) {
	q.index = q.index[:0]
	i := 0
	for _, p := range q.queried {
		index := q.g.None()
		if i < len(q.own) && q.own[i] == p {
			index = ghosts[i]
			i++
		}
		q.index = append(q.index, index)
	}
}

// merge merges the queries of the ranks of this node.
func (q *queries[P]) merge() error {
	own := q.send[q.node][:0]
	next := P(0)
	for _, p := range q.own {
		own = binary.AppendUvarint(own, uint64(p-next))
		next = p + 1
	}
	q.send[q.node] = own
	got, err := q.twoLevel.Inside(own)
	if err != nil {
		return err
	}
	q.queried = q.queried[:0]
	for _, message := range got {
		eachQuery(message, func(p P) { q.queried = append(q.queried, p) })
	}
	slices.Sort(q.queried)
	q.queried = slices.Compact(q.queried)
	return nil
}

// reply sends the bits of queried vertices in bitmap by, and sets the received bits in the bitmaps into. Collective.
func (q *queries[P]) reply(by bitmap, into ...bitmap) error {
	defer comm.CountAs(q.t, trace.RepliesPayload)()
	own := q.g.Index(0)
	for node, ids := range q.here {
		q.send[node] = q.send[node][:0]
		for k, id := range ids {
			q.send[node] = appendBit(q.send[node], k, by.has(uint64(own+P(id))))
		}
	}
	got, err := q.twoLevel.ToNodes(q.send)
	if err != nil {
		return err
	}
	i := 0
	for r, message := range got {
		end := P(r+1) * P(q.g.Stride)
		for k := 0; i < len(q.queried) && q.queried[i] < end; i, k = i+1, k+1 {
			if message[k/8]>>(k%8)&1 == 0 || q.index[i] == q.g.None() {
				continue
			}
			for _, b := range into {
				b.set(uint64(q.index[i]))
			}
		}
	}
	return nil
}

// eachQuery calls body for the positions in a message, which are varints of the gaps between rising positions.
func eachQuery[P csr.Pos](message []byte, body func(P)) {
	for next := uint64(0); len(message) > 0; next++ {
		var gap uint64
		gap, message = varint(message)
		next += gap
		body(P(next))
	}
}

// appendBit appends the k-th bit of a message.
func appendBit(message []byte, k int, bit bool) []byte {
	if k%8 == 0 {
		message = append(message, 0)
	}
	if bit {
		message[len(message)-1] |= 1 << (k % 8)
	}
	return message
}
