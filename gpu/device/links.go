//go:build cuda && cgo

package device

import (
	"errors"

	"g500/comm"
	"g500/cuda"
)

// Links moves messages between the memories of the ranks' GPUs, to measure how quickly they go (network.Transport). A
// pair of peers is measured by the rank that leads alone, which writes into its peer's memory; all ranks together are
// measured by Transport.AllToAll, as searches use it.
type Links struct {
	t      Transport
	own    *cuda.Buffer
	window *Window
	counts []int64
}

// NewLinks opens the GPU of this rank and joins it with the other ranks' GPUs. It is collective. Like a backend it
// belongs to the calling goroutine until it is closed.
func NewLinks(t comm.Transport, transport string, room int64) (*Links, error) {
	joined, err := Open(t, transport)
	if err != nil {
		return nil, err
	}
	device := joined.Device()
	l := &Links{t: joined, counts: make([]int64, t.Size())}
	if l.window, err = joined.Open("messages that come", room); err == nil {
		l.own, err = device.Alloc("messages that go", room)
		err = comm.Agree(t, err)
	}
	if err != nil { // the device's memory goes with the device
		return nil, errors.Join(err, joined.Close(), device.Close())
	}
	return l, nil
}

// Name describes the GPU and the transports to the others.
func (l *Links) Name() string {
	return "memory of GPUs (" + l.t.Device().Name + "), " + l.t.Describe()
}

// OnDevices is true.
func (l *Links) OnDevices() bool { return true }

// Reaches is true for peers. Others are reached by way of the hosts, in which all ranks take part.
func (l *Links) Reaches(peer int) bool { return l.t.Peer(peer) }

// Trip writes to the peer's memory and reads from there, and waits for each.
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

// Window writes n messages one behind the other, and waits for the last.
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

// AllToAll sends that many bytes to each rank.
func (l *Links) AllToAll(bytes int) error {
	for r := range l.counts {
		l.counts[r] = int64(bytes)
	}
	_, err := l.t.AllToAll(l.own.Memory, l.counts, l.window)
	return errors.Join(err, l.t.Device().Synchronize())
}

// Close gives everything back. It is collective.
func (l *Links) Close() error {
	return errors.Join(l.own.Free(), l.window.Close(), l.t.Barrier(), l.t.Close(), l.t.Device().Close())
}
