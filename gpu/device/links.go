// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"errors"

	"g500/comm"
	"g500/cuda"
)

// Links measures messages between the memories of the ranks' GPUs (net.Transport). One rank writes into its
// peer's memory.
type Links struct {
	t         Transport
	transport string // value of --gpu-transport
	own       *cuda.Buffer
	window    *Window
}

// NewLinks opens the GPU of this rank and joins it with the other ranks' GPUs, with buffers of room bytes. It is
// collective. The result belongs to the calling goroutine until it is closed.
func NewLinks(t comm.Transport, transport string, room int64) (*Links, error) {
	joined, err := Open(t, transport)
	if err != nil {
		return nil, err
	}
	device := joined.Device()
	l := &Links{t: joined, transport: transport}
	if l.window, err = joined.Open("received messages", room); err == nil {
		l.own, err = device.Alloc("messages to send", room)
		err = comm.Agree(t, err)
	}
	if err != nil { // closing the device frees its memory
		return nil, errors.Join(err, joined.Close(), device.Close())
	}
	return l, nil
}

// Name describes the GPU and the paths to the other ranks.
func (l *Links) Name() string {
	return "memory of GPUs (" + l.t.Device().Name + "), " + l.t.Describe()
}

// OnDevices is true.
func (l *Links) OnDevices() bool { return true }

// Reaches reports whether the rank is a peer. Messages to other ranks need all ranks.
func (l *Links) Reaches(peer int) bool { return l.t.Peer(peer) }

// Trip writes to the peer's memory and then reads from it, and waits for each.
func (l *Links) Trip(peer, bytes int, leads bool) error {
	if !leads {
		return nil
	}
	d, here, there := l.t.Device(), l.own.Part(0, int64(bytes)), l.window.Peers[peer].Part(0, int64(bytes))
	for _, copied := range [][2]cuda.Memory{{there, here}, {here, there}} {
		if err := d.Copy(copied[0], copied[1]); err != nil {
			return err
		}
		if err := d.Synchronize(); err != nil {
			return err
		}
	}
	return nil
}

// Window writes n consecutive messages, and waits for the last.
func (l *Links) Window(peer, bytes, n int, leads bool) error {
	if !leads {
		return nil
	}
	d, there := l.t.Device(), l.window.Peers[peer]
	for i := range int64(n) {
		at := i * int64(bytes)
		if err := d.Copy(there.Part(at, int64(bytes)), l.own.Part(at, int64(bytes))); err != nil {
			return err
		}
	}
	return d.Synchronize()
}

// Close frees everything. It is collective.
func (l *Links) Close() error {
	return errors.Join(l.own.Free(), l.window.Close(), l.t.Barrier(), l.t.Close(), l.t.Device().Close())
}
