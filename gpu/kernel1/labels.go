//go:build cuda && cgo

package kernel1

import (
	"errors"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

// lookupCapacity is the largest number of queries of a rank at a time: 128 MB of messages.
const lookupCapacity = 1 << 24

// LookUpLabels sets labels[i] to the label of the vertex with packed global id ids[i], for n vertices of any rank. The
// label of NoVertex is NoVertex. The labels may replace the words of the ids. It is collective, and n may differ
// between ranks.
func LookUpLabels(t device.Transport, g *cuda.Graph, ids cuda.IDs, n int64, labels cuda.Memory) (err error) {
	most, err := comm.Reduce(t.Host(), n, comm.Max)
	if err != nil {
		return err
	}
	l, err := NewLabelLookup(t, min(lookupCapacity, most))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return l.LookUp(g, ids, n, labels)
}

// LabelLookup queries the labels of other ranks' vertices. It keeps its buffers.
type LabelLookup struct {
	t        device.Transport
	exchange *Exchange // nil on one rank
}

// NewLabelLookup opens the buffers for capacity queries of a rank at a time, the same on all ranks. It is collective.
func NewLabelLookup(t device.Transport, capacity int64) (*LabelLookup, error) {
	ranks := t.Host().Size()
	if ranks == 1 {
		return &LabelLookup{t: t}, nil
	}
	x, err := NewExchange(t, cuda.Messages32.Bytes()*max(capacity, int64(ranks)), 2) // a query of each rank always fits
	if err != nil {
		return nil, err
	}
	return &LabelLookup{t, x}, nil
}

// Close frees the buffers. A nil lookup has none.
func (l *LabelLookup) Close() error {
	if l == nil {
		return nil
	}
	return l.exchange.Close()
}

// LookUp is LookUpLabels. Rounds become smaller if the queries to one rank do not fit into its window.
func (l *LabelLookup) LookUp(g *cuda.Graph, ids cuda.IDs, n int64, labels cuda.Memory) error {
	if l.exchange == nil {
		return g.LookUp(ids, 0, n, labels)
	}
	most, err := comm.Reduce(l.t.Host(), n, comm.Max)
	if err != nil {
		return err
	}
	round := l.exchange.capacity / cuda.Messages32.Bytes()
	for first := int64(0); first < most; {
		mine := min(first, n)
		b := batch{g, ids, labels, mine, min(round, n-mine)}
		queries, err := l.exchange.Bins.Queries(g, ids, b.first, b.count, l.exchange.Send.Memory)
		if err != nil {
			return err
		}
		fits, err := l.exchange.fits(queries)
		if err != nil {
			return err
		}
		if !fits {
			round = (round + 1) / 2
			continue
		}
		if err := l.query(b, queries); err != nil {
			return err
		}
		first += round
	}
	return nil
}

// batch has the labels to look up in one round.
type batch struct {
	g            *cuda.Graph
	ids          cuda.IDs
	labels       cuda.Memory
	first, count int64
}

// query sends queries[r] bytes of queries to rank r, replies to the queries of other ranks, and takes the replies.
// First it looks up the labels of this rank's vertices, because the queries are made and their ids may be replaced.
func (l *LabelLookup) query(b batch, queries []int64) error {
	if err := b.g.LookUp(b.ids, b.first, b.count, b.labels); err != nil {
		return err
	}
	x := l.exchange
	received, bytes, err := x.Run(x.Send.Memory, queries, 0)
	if err != nil {
		return err
	}
	if err := b.g.Reply(x.Receive[0].Memory, bytes/cuda.Messages32.Bytes()); err != nil {
		return err
	}
	_, bytes, err = x.Run(x.Receive[0].Memory, received, 1)
	if err != nil {
		return err
	}
	return b.g.TakeReplies(x.Receive[1].Memory, bytes/cuda.Messages32.Bytes(), b.labels, b.first)
}
