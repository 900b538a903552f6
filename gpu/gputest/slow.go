//go:build cuda && cgo

package gputest

import (
	"fmt"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
)

// slow is the reference implementation of the transport: all words go through host memory. No rank has a peer.
type slow struct {
	host   comm.Transport
	device *cuda.Device
}

// Slow joins ranks through host memory alone.
func Slow(host comm.Transport, d *cuda.Device) device.Transport {
	return slow{host, d}
}

func (s slow) Host() comm.Transport      { return s.host }
func (s slow) Device() *cuda.Device      { return s.device }
func (s slow) Peer(int) bool             { return false }
func (s slow) Describe() string          { return "host memory" }
func (s slow) Traffic() []device.Traffic { return nil }
func (s slow) Close() error              { return nil }

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
	return s.AllGatherSlice(w, part, 0, part)
}

func (s slow) AllGatherSlice(w *device.Window, part, from, bytes int64) error {
	own := make([]byte, bytes)
	if err := s.read(own, w.Memory, part*int64(s.host.Rank())+from); err != nil {
		return err
	}
	send := make([][]byte, s.host.Size())
	for r := range send {
		send[r] = own
	}
	received, err := s.host.AllToAll(send)
	for r := range received {
		if err == nil {
			err = cuda.Write(w.Memory, part*int64(r)+from, received[r])
		}
	}
	return err
}

func (s slow) AllToAll(send cuda.Memory, counts []int64, into *device.Window) ([]int64, error) {
	messages, first := make([][]byte, len(counts)), int64(0)
	for r, n := range counts {
		if n%8 != 0 {
			return nil, fmt.Errorf("%d bytes for rank %d are no multiple of 8", n, r)
		}
		messages[r] = make([]byte, n)
		if err := s.read(messages[r], send, first); err != nil {
			return nil, err
		}
		first += n
	}
	got, err := s.host.AllToAll(messages)
	if err != nil {
		return nil, err
	}
	received, next := make([]int64, len(got)), int64(0)
	for r := range got {
		if err := cuda.Write(into.Memory, next, got[r]); err != nil {
			return nil, err
		}
		received[r] = int64(len(got[r]))
		next += received[r]
	}
	return received, nil
}

// read waits for the device first: it may be busy with what is to be read.
func (s slow) read(into []byte, from cuda.Memory, first int64) error {
	if err := s.device.Synchronize(); err != nil {
		return err
	}
	return cuda.Read(into, from, first)
}

// OnRanks runs body on that many ranks, which are goroutines that share the first GPU.
func OnRanks(n int, body func(device.Transport) error) error {
	return comm.Loopback(n, func(host comm.Transport) error {
		d, err := cuda.Open(0)
		if err := comm.Agree(host, err); err != nil {
			return err
		}
		err = comm.Agree(host, body(slow{host, d}))
		if closed := d.Close(); err == nil {
			err = closed
		}
		return err
	})
}
