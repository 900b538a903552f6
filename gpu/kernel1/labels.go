//go:build cuda && cgo

package kernel1

import (
	"errors"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

// lookupCapacity is the number of queries of a rank that are under way at a time: 128 MB of messages.
const lookupCapacity = 1 << 24

// LookUpLabels sets labels[i] to the label of the vertex at positions[i], for n positions of any ranks' vertices;
// NoVertex stays what it is. The labels may take the places of the positions' words. It is collective, and n may differ
// from rank to rank.
func LookUpLabels(
	t device.Transport, g *cuda.Graph, positions cuda.Positions, n int64, labels cuda.Memory,
) (err error) {
	most, err := comm.Reduce(t.Host(), n, comm.Max)
	if err != nil {
		return err
	}
	l, err := NewLabelLookup(t, min(lookupCapacity, most))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return l.LookUp(g, positions, n, labels)
}

// LabelLookup queries labels from the owners of positions. It keeps its buffers.
type LabelLookup struct {
	t        device.Transport
	exchange *Exchange // nil on one rank
}

// NewLabelLookup is collective. The capacity is the number of queries of a rank at a time, the same on all ranks.
func NewLabelLookup(t device.Transport, capacity int64) (*LabelLookup, error) {
	ranks := t.Host().Size()
	if ranks == 1 {
		return &LabelLookup{t: t}, nil
	}
	x, err := NewExchange(t, cuda.MessageBytes*max(capacity, int64(ranks)), 2) // a query of each rank always fits
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

// LookUp does the same as LookUpLabels. If many queries go to one rank, rounds become smaller until they fit.
func (l *LabelLookup) LookUp(g *cuda.Graph, positions cuda.Positions, n int64, labels cuda.Memory) error {
	if l.exchange == nil {
		return g.LookUp(positions, 0, n, labels)
	}
	most, err := comm.Reduce(l.t.Host(), n, comm.Max)
	if err != nil {
		return err
	}
	round := l.exchange.capacity / cuda.MessageBytes
	for first := int64(0); first < most; {
		mine := min(first, n)
		b := batch{g, positions, labels, mine, min(round, n-mine)}
		queries, err := l.exchange.Bins.Questions(g, positions, b.first, b.count, l.exchange.Send.Memory)
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
	positions    cuda.Positions
	labels       cuda.Memory
	first, count int64
}

// query sends queries[r] bytes of queries to rank r, replies to the queries of other ranks, and takes the replies.
// Before, it looks up the labels of this rank's vertices, because their positions are no longer needed.
func (l *LabelLookup) query(b batch, queries []int64) error {
	if err := b.g.LookUp(b.positions, b.first, b.count, b.labels); err != nil {
		return err
	}
	x := l.exchange
	received, bytes, err := x.Run(x.Send.Memory, queries, 0)
	if err != nil {
		return err
	}
	if err := b.g.Answer(x.Receive[0].Memory, bytes/cuda.MessageBytes); err != nil {
		return err
	}
	_, bytes, err = x.Run(x.Receive[0].Memory, received, 1)
	if err != nil {
		return err
	}
	return b.g.TakeAnswers(x.Receive[1].Memory, bytes/cuda.MessageBytes, b.labels, b.first)
}
