// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package gputest

import (
	"errors"
	"slices"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

// slow is the reference implementation of device.Transport. All data moves through host memory, and no rank has a peer.
type slow struct {
	host    comm.Transport
	device  *cuda.Device
	sharers []int
}

// Slow joins ranks through host memory.
func Slow(host comm.Transport, d *cuda.Device) device.Transport {
	return slow{host, d, Must(comm.Sharers(host, d.UUID))}
}

func (s slow) Host() comm.Transport { return s.host }
func (s slow) Device() *cuda.Device { return s.device }
func (s slow) Sharers() []int       { return s.sharers }
func (s slow) Peer(int) bool        { return false }
func (s slow) Describe() string     { return "host memory" }
func (s slow) Choice() string       { return "" }
func (s slow) Close() error         { return nil }

func (s slow) Exchanges() (*device.Exchanger, error) {
	return nil, errors.New("gputest: the slow transport has no exchanges on a stream")
}

func (s slow) Barrier() error {
	if err := s.device.Synchronize(); err != nil {
		return err
	}
	return s.host.Barrier()
}

func (s slow) Open(label string, bytes int64) (*device.Window, error) {
	buffer, err := s.device.Alloc(label, bytes)
	if err := comm.Agree(s.host, err); err != nil {
		return nil, err
	}
	return device.NewWindow(buffer.Memory, make([]cuda.Memory, s.host.Size()), buffer.Free), nil
}

func (s slow) Expose(own cuda.Memory) (*device.Window, error) {
	return device.NewWindow(own, make([]cuda.Memory, s.host.Size()), nil), nil
}

func (s slow) Retire(free func() error) error { return free() }

func (s slow) AllGather(w *device.Window, part int64) error {
	return s.AllGatherFront(w, part, part)
}

func (s slow) AllGatherFront(w *device.Window, part, bytes int64) error {
	return Catch(func() {
		own := make([]byte, bytes)
		s.read(own, w.Memory, part*int64(s.host.Rank()))
		received := Must(s.host.AllToAll(slices.Repeat([][]byte{own}, s.host.Size())))
		for r, message := range received {
			Check(cuda.Write(w.Memory, part*int64(r), message))
		}
	})
}

func (s slow) AllToAll(send cuda.Memory, counts []int64, into *device.Window) (received []int64, err error) {
	err = Catch(func() {
		messages, first := make([][]byte, len(counts)), int64(0)
		for r, n := range counts {
			messages[r] = make([]byte, n)
			s.read(messages[r], send, first)
			first += n
		}
		arrived, next := Must(s.host.AllToAll(messages)), int64(0)
		if excess := int64(len(slices.Concat(arrived...))) - into.Bytes(); Must(comm.Reduce(s.host, excess, comm.Max)) > 0 {
			Check(device.ErrTooLong)
		}
		for _, message := range arrived {
			Check(cuda.Write(into.Memory, next, message))
			received = append(received, int64(len(message)))
			next += int64(len(message))
		}
	})
	return received, err
}

// read waits for the device, which may still write the memory.
func (s slow) read(into []byte, from cuda.Memory, first int64) {
	Check(s.device.Synchronize(), cuda.Read(into, from, first))
}

// OnSlowRanks runs body on n ranks that share the first GPU.
func OnSlowRanks(n int, body func(device.Transport)) error {
	return Ranks(comm.Loopback, n, func(host comm.Transport) {
		d, err := cuda.Open(0)
		Check(comm.Agree(host, err))
		err = comm.Agree(host, Catch(func() { body(Slow(host, d)) }))
		Check(err, d.Close())
	})
}
