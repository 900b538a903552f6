//go:build cuda && cgo

package kernel1

import (
	"errors"
	"slices"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

// binnedExchange is an all-to-all of messages between the GPUs: they are binned by rank into a send buffer, and arrive
// in a window.
type binnedExchange struct {
	t        device.Transport
	capacity int64 // bytes of messages that fit into the send buffer, and into each window
	bins     *cuda.Bins
	send     *cuda.Buffer
	receive  [2]*device.Window
}

// newBinnedExchange is collective. The capacity, in bytes, is the same on all ranks.
func newBinnedExchange(t device.Transport, capacity int64) (*binnedExchange, error) {
	x := &binnedExchange{t: t, capacity: capacity}
	if err := x.open(); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return x, nil
}

func (x *binnedExchange) open() (err error) {
	host, d := x.t.Host(), x.t.Device()
	if x.bins, err = d.NewBins(host.Size()); err == nil {
		x.send, err = d.Alloc("messages", x.capacity)
	}
	if err := comm.Agree(host, err); err != nil {
		return err
	}
	for i := range x.receive {
		x.receive[i], err = x.t.Open("messages", x.capacity)
		if err := comm.Agree(host, err); err != nil {
			return err
		}
	}
	return nil
}

// Close gives the memory back.
func (x *binnedExchange) Close() error {
	var faults []error
	if x.bins != nil {
		faults = append(faults, x.bins.Free())
	}
	if x.send != nil {
		faults = append(faults, x.send.Free())
	}
	for _, w := range x.receive {
		if w != nil {
			faults = append(faults, w.Close())
		}
	}
	return errors.Join(faults...)
}

// fits reports whether what all are about to send fits into the windows of all ranks: bytes[r] from here to rank r.
func (x *binnedExchange) fits(bytes []int64) (bool, error) {
	arriving := slices.Clone(bytes)
	err := x.t.Host().AllReduce(arriving, comm.Sum)
	return slices.Max(arriving) <= x.capacity, err
}

// run sends messages that lie in the order of ranks, bytes[r] for rank r, and returns what arrived in window number w:
// the bytes of each rank, and of all together.
func (x *binnedExchange) run(from cuda.Memory, bytes []int64, w int) (received []int64, all int64, err error) {
	received, err = x.t.AllToAll(from, bytes, x.receive[w])
	for _, n := range received {
		all += n
	}
	return received, all, err
}
