package bfs

import (
	"encoding/binary"
	"errors"
	"slices"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/trace"
)

// queries are the other ranks' vertices whose visited bits the ranks of a host need. The ranks of a host unite their
// queries, so that each vertex is queried once, and each of them keeps all queries, so that replies contain only bits.
// Between two hosts there is one message with queries and one with replies.
type queries[P csr.Pos] struct {
	t     comm.Transport
	g     *csr.Graph[P]
	tiers *comm.TwoLevel
	host  int
	hosts []int // of ranks

	own     []P        // positions that this rank queries, sorted
	queried []P        // positions that all ranks of this host query
	index   []P        // of each of these, its index on this rank; None if another rank queries it
	here    [][]csr.ID // by host: own vertices that it queries, in the order of its queries
	send    [][]byte   // by host
}

func newQueries[P csr.Pos](t comm.Transport, g *csr.Graph[P], tiers *comm.TwoLevel) *queries[P] {
	hosts := t.Nodes()
	return &queries[P]{
		t: t, g: g, tiers: tiers, host: hosts[g.Rank], hosts: hosts,
		here: make([][]csr.ID, tiers.Nodes()), send: make([][]byte, tiers.Nodes()),
	}
}

// post sends queries about ghosts, given by their indices in any order; it sorts them in place. It is collective.
func (q *queries[P]) post(ghosts []P) error {
	defer comm.CarryForm(q.t, trace.QueriesPayload)()
	slices.Sort(ghosts)
	ghosts = slices.Compact(ghosts)
	q.own = q.own[:0]
	for _, p := range ghosts {
		q.own = append(q.own, P(q.g.Position(q.g.Owner(p)))) // which rise as well
	}
	if err := q.unite(); err != nil {
		return err
	}
	q.indexOwn(ghosts)
	for host := range q.send {
		q.send[host], q.here[host] = q.send[host][:0], q.here[host][:0]
	}
	last := make([]P, len(q.send)) // one more than the last query to a host
	for _, p := range q.queried {
		r, id := q.g.Vertex(int(p))
		switch host := q.hosts[r]; {
		case host == q.host && r == q.g.Rank:
			q.here[host] = append(q.here[host], id)
		case host != q.host && q.tiers.Leader(host) == q.g.Rank:
			q.send[host] = binary.AppendUvarint(q.send[host], uint64(p-last[host]))
			last[host] = p + 1
		}
	}
	got, err := q.tiers.ToNodes(q.send)
	if err != nil {
		return err
	}
	for r, message := range got {
		host := q.hosts[r]
		if host == q.host {
			continue
		}
		err := eachQuery(message, P(q.g.Positions()), func(p P) {
			if owner, id := q.g.Vertex(int(p)); owner == q.g.Rank {
				q.here[host] = append(q.here[host], id)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// indexOwn stores the indices of this rank's ghosts among the queries of the host.
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

// unite merges the queries of the ranks of this host.
func (q *queries[P]) unite() error {
	own := q.send[q.host][:0]
	next := P(0)
	for _, p := range q.own {
		own = binary.AppendUvarint(own, uint64(p-next))
		next = p + 1
	}
	q.send[q.host] = own
	got, err := q.tiers.Inside(own)
	if err != nil {
		return err
	}
	q.queried = q.queried[:0]
	for _, message := range got {
		err := eachQuery(message, P(q.g.Positions()), func(p P) { q.queried = append(q.queried, p) })
		if err != nil {
			return err
		}
	}
	slices.Sort(q.queried)
	q.queried = slices.Compact(q.queried)
	return nil
}

// reply sends the bits, in one bitmap, of the queried vertices, and sets the bits that other hosts reply in some
// bitmaps. It is collective.
func (q *queries[P]) reply(by bitmap, into ...bitmap) error {
	defer comm.CarryForm(q.t, trace.RepliesPayload)()
	own := q.g.Index(0)
	for host, ids := range q.here {
		q.send[host] = q.send[host][:0]
		for k, id := range ids {
			q.send[host] = appendBit(q.send[host], k, by.has(uint64(own+P(id))))
		}
	}
	got, err := q.tiers.ToNodes(q.send)
	if err != nil {
		return err
	}
	i := 0
	for r, message := range got {
		end := P(r+1) * P(q.g.Stride)
		for k := 0; i < len(q.queried) && q.queried[i] < end; i, k = i+1, k+1 {
			if k/8 >= len(message) {
				return errQueries
			}
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

var errQueries = errors.New("bfs: a message of queries is damaged: ranks run different versions of g500")

// eachQuery hands on the positions in a message, which rise: varints of the gaps between them. It ends with an error
// at one that is not below limit.
func eachQuery[P csr.Pos](message []byte, limit P, body func(P)) error {
	for next := uint64(0); len(message) > 0; next++ {
		gap, n := binary.Uvarint(message)
		if n <= 0 || gap >= uint64(limit) || next+gap >= uint64(limit) {
			return errQueries
		}
		next += gap
		body(P(next))
		message = message[n:]
	}
	return nil
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
