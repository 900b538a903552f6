// SPDX-License-Identifier: Apache-2.0

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

// LookUp is LookUpLabels.
func (l *LabelLookup) LookUp(g *cuda.Graph, ids cuda.IDs, n int64, labels cuda.Memory) error {
	if l.exchange == nil {
		return g.LookUp(ids, 0, n, labels)
	}
	most, err := comm.Reduce(l.t.Host(), n, comm.Max)
	if err != nil {
		return err
	}
	x := l.exchange
	round, first, count := x.capacity/cuda.Messages32.Bytes(), int64(0), int64(0)
	return x.Rounds(0, most, &round, func(from int64) ([]int64, error) {
		first = min(from, n)
		count = min(round, n-first)
		return x.Bins.Queries(g, ids, first, count, x.Send.Memory)
	}, func(received []int64, bytes int64) error {
		if err := g.Reply(x.Receive[0].Memory, bytes/cuda.Messages32.Bytes()); err != nil {
			return err
		}
		_, bytes, err := x.Run(x.Receive[0].Memory, received, 1)
		if err != nil {
			return err
		}
		if err := g.LookUp(ids, first, count, labels); err != nil { // replaces ids, which no query needs any more
			return err
		}
		return g.TakeReplies(x.Receive[1].Memory, bytes/cuda.Messages32.Bytes(), labels, first)
	})
}
