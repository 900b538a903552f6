//go:build cuda && cgo

package gpu

import (
	"fmt"

	"g500/comm"
	"g500/cuda"
)

// slowTransport is the slow twin of every DeviceTransport: all words go by way of the host, and no rank is a peer.
type slowTransport struct {
	host   comm.Transport
	device *cuda.Device
}

func newSlowTransport(t comm.Transport, d *cuda.Device) DeviceTransport { return slowTransport{t, d} }

func (s slowTransport) Host() comm.Transport { return s.host }
func (s slowTransport) Device() *cuda.Device { return s.device }
func (s slowTransport) Peer(int) bool        { return false }
func (s slowTransport) Close() error         { return nil }

func (s slowTransport) Open(label string, bytes int64) (*Window, error) {
	buffer, err := s.device.Alloc(label, bytes)
	if err := comm.Agree(s.host, err); err != nil {
		return nil, err
	}
	return &Window{Memory: buffer.Memory, Peers: make([]cuda.Memory, s.host.Size()), close: buffer.Free}, nil
}

func (s slowTransport) AllGather(w *Window, part int64) error {
	if part%16 != 0 {
		return fmt.Errorf("slow transport: a part of %d bytes is no multiple of 16", part)
	}
	mine := make([]byte, part)
	if err := s.read(mine, w.Memory, part*int64(s.host.Rank())); err != nil {
		return err
	}
	send := make([][]byte, s.host.Size())
	for rank := range send {
		send[rank] = mine
	}
	got, err := s.host.AllToAll(send)
	for rank := 0; rank < len(got) && err == nil; rank++ {
		if rank != s.host.Rank() {
			err = cuda.Write(w.Memory, part*int64(rank), got[rank])
		}
	}
	return err
}

func (s slowTransport) AllToAll(send cuda.Memory, counts []int64, into *Window) ([]int64, error) {
	parts := make([][]byte, len(counts))
	first := int64(0)
	for rank, count := range counts {
		if count%8 != 0 {
			return nil, fmt.Errorf("slow transport: %d bytes for rank %d are no multiple of 8", count, rank)
		}
		parts[rank] = make([]byte, count)
		if err := s.read(parts[rank], send, first); err != nil {
			return nil, err
		}
		first += count
	}
	got, err := s.host.AllToAll(parts)
	received := make([]int64, len(got))
	first = 0
	for rank := 0; rank < len(got) && err == nil; rank++ {
		received[rank] = int64(len(got[rank]))
		err = cuda.Write(into.Memory, first, got[rank])
		first += received[rank]
	}
	return received, err
}

// read waits for the kernels that write what is read.
func (s slowTransport) read(dst []byte, m cuda.Memory, first int64) error {
	if err := s.device.Synchronize(); err != nil {
		return err
	}
	return cuda.Read(dst, m, first)
}
