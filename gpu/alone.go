//go:build cuda && cgo

package gpu

import (
	"g500/comm"
	"g500/cuda"
)

// alone is the DeviceTransport of a job of one rank, which has nobody to bring anything to.
type alone struct {
	host   comm.Transport
	device *cuda.Device
}

func (a alone) Host() comm.Transport           { return a.host }
func (a alone) Device() *cuda.Device           { return a.device }
func (a alone) Peer(int) bool                  { return false }
func (a alone) AllGather(*Window, int64) error { return nil }
func (a alone) Close() error                   { return nil }

// Open takes memory that no peer sees.
func (a alone) Open(label string, bytes int64) (*Window, error) {
	buffer, err := a.device.Alloc(label, bytes)
	if err != nil {
		return nil, err
	}
	return &Window{Memory: buffer.Memory, Peers: make([]cuda.Memory, 1), close: buffer.Free}, nil
}

// AllToAll copies what the rank sends itself.
func (a alone) AllToAll(send cuda.Memory, counts []int64, into *Window) ([]int64, error) {
	words := make([]uint64, counts[0]/8)
	if err := cuda.Read(words, send, 0); err != nil {
		return nil, err
	}
	return counts, cuda.Write(into.Memory, 0, words)
}
