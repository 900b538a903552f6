// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"errors"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/internal/lists"
)

// Exchange is an all-to-all of messages between GPUs. Messages are binned by rank into a send buffer and arrive in
// windows.
type Exchange struct {
	t        device.Transport
	capacity int64 // bytes of the send buffer and of each window
	Bins     *cuda.Bins
	Send     *cuda.Buffer
	Receive  [2]*device.Window
}

// NewExchange opens an exchange. The capacity of each window and of the send buffer, in bytes, is the same on all
// ranks. It is collective.
func NewExchange(t device.Transport, capacity int64) (*Exchange, error) {
	x := &Exchange{t: t, capacity: capacity}
	if err := x.open(); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return x, nil
}

func (x *Exchange) open() (err error) {
	host, d := x.t.Host(), x.t.Device()
	if x.Bins, err = d.NewBins(host.Size()); err == nil {
		x.Send, err = d.Alloc("messages", x.capacity)
	}
	if err := comm.Agree(host, err); err != nil {
		return err
	}
	for i := range x.Receive {
		x.Receive[i], err = x.t.Open("messages", x.capacity)
		if err := comm.Agree(host, err); err != nil {
			return err
		}
	}
	return nil
}

// Close frees the buffers. A nil exchange has none.
func (x *Exchange) Close() error {
	if x == nil {
		return nil
	}
	faults := []error{cuda.Free(x.Bins), cuda.Free(x.Send)}
	return errors.Join(append(faults, lists.Of(x.Receive[:], (*device.Window).Close)...)...)
}

// Rounds exchanges messages about n items of each rank, at most *round of them at a time, in window number w. fill
// makes messages about count items from number first on, and returns the bytes for each rank; use gets the received
// bytes, by rank and all together. Rounds become smaller if the messages to one rank do not fit into its window. It is
// collective; n may differ between ranks, and *round does not.
func (x *Exchange) Rounds(
	w int, n int64, round *int64, fill func(first, count int64) ([]int64, error),
	use func(received []int64, all int64) error,
) error {
	most, err := comm.Reduce(x.t.Host(), n, comm.Max)
	if err != nil {
		return err
	}
	*round = min(*round, max(most, 1))
	for done := int64(0); done < most; {
		first := min(done, n)
		bytes, err := fill(first, min(*round, n-first))
		if err != nil {
			return err
		}
		received, all, err := x.Run(x.Send.Memory, bytes, w)
		if errors.Is(err, device.ErrTooLong) && *round > 1 {
			*round = (*round + 1) / 2
			continue
		}
		if err == nil {
			err = use(received, all)
		}
		if err != nil {
			return err
		}
		done += *round
	}
	return nil
}

// Run sends messages in the order of ranks, bytes[r] to rank r, and returns the number of bytes that arrived in window
// number w from each rank and from all together.
func (x *Exchange) Run(from cuda.Memory, bytes []int64, w int) (received []int64, all int64, err error) {
	received, err = x.t.AllToAll(from, bytes, x.Receive[w])
	for _, n := range received {
		all += n
	}
	return received, all, err
}

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
	x, err := NewLabelLookup(t, min(lookupCapacity, most))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	return x.LookUp(g, ids, n, labels)
}

// NewLabelLookup opens an exchange for LookUp, with buffers for capacity queries of a rank at a time, the same on all
// ranks. It is nil on one rank. It is collective.
func NewLabelLookup(t device.Transport, capacity int64) (*Exchange, error) {
	ranks := t.Host().Size()
	if ranks == 1 {
		return nil, nil
	}
	return NewExchange(t, cuda.Messages32.Bytes()*max(capacity, int64(ranks))) // a query of each rank always fits
}

// LookUp is LookUpLabels with the buffers of NewLabelLookup.
func (x *Exchange) LookUp(g *cuda.Graph, ids cuda.IDs, n int64, labels cuda.Memory) error {
	if x == nil {
		return g.LookUp(ids, 0, n, labels)
	}
	round, first, count := x.capacity/cuda.Messages32.Bytes(), int64(0), int64(0)
	return x.Rounds(0, n, &round, func(from, of int64) ([]int64, error) {
		first, count = from, of
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
