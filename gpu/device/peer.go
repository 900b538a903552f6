//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"
	"slices"

	"g500/comm"
	"g500/cuda"
)

// granule is what windows are whole multiples of where other processes open them: the driver shares memory in such
// pieces, and nothing else may be in a piece.
const granule = 2 << 20

func (c *transport) Open(label string, bytes int64) (*Window, error) {
	if err := c.Barrier(); err != nil { // room again for what is closed
		return nil, err
	}
	size := bytes
	if c.peers {
		size = max((bytes+granule-1)/granule, 1) * granule
	}
	own, err := c.device.Alloc(label, size)
	if agreed := comm.Agree(c.host, err); agreed != nil {
		if err == nil {
			agreed = errors.Join(agreed, own.Free())
		}
		return nil, agreed
	}
	w, err := c.expose(own.Memory)
	if err == nil {
		err = c.cut(w, label, bytes)
	}
	closeViews := w.close
	w.close = func() error { return errors.Join(closeViews(), c.Retire(own.Free)) }
	if err := comm.Agree(c.host, err); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// cut shortens windows, which must be equally long, to what was asked for.
func (c *transport) cut(w *Window, label string, bytes int64) error {
	for r, peer := range w.Peers {
		if c.routes[r].peer() && peer.Bytes() != w.Bytes() {
			return fmt.Errorf("gpu: the window %s is of %d bytes here, and of %d on rank %d",
				label, w.Bytes(), peer.Bytes(), r)
		}
		if c.routes[r].peer() {
			w.Peers[r] = peer.Part(0, bytes)
		}
	}
	w.Memory = w.Part(0, bytes)
	return nil
}

func (c *transport) Expose(own cuda.Memory) (*Window, error) {
	w, err := c.expose(own)
	if err := comm.Agree(c.host, err); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// expose opens a window that peers see too. It is to be closed, also after an error.
func (c *transport) expose(own cuda.Memory) (*Window, error) {
	w := &Window{Memory: own, Peers: make([]cuda.Memory, c.host.Size())}
	var opened []*cuda.Buffer
	var err error
	if c.peers {
		opened, err = c.openPeers(own, w.Peers)
	}
	w.close = func() error {
		faults := []error{c.device.Synchronize()} // nothing is under way into the peers' windows any more
		for _, buffer := range opened {
			faults = append(faults, buffer.Free())
		}
		return errors.Join(faults...)
	}
	return w, err
}

// openPeers opens what the peers expose. What is opened is to be closed, also after an error.
func (c *transport) openPeers(own cuda.Memory, peers []cuda.Memory) (opened []*cuda.Buffer, err error) {
	handle, err := own.Share(slices.Contains(c.routes, across))
	if err := comm.Agree(c.host, err); err != nil {
		return nil, err
	}
	handles, err := comm.AllGatherBytes(c.host, handle[:])
	if err != nil {
		return nil, err
	}
	for r, route := range c.routes {
		if !route.peer() {
			continue
		}
		buffer, err := c.device.OpenShared(cuda.Handle(handles[r]), route == within)
		if err != nil {
			return opened, err
		}
		opened = append(opened, buffer)
		peers[r] = buffer.Memory
	}
	return opened, nil
}

func (c *transport) Retire(free func() error) error {
	if !slices.ContainsFunc(c.routes, route.peer) {
		return free()
	}
	c.retired = append(c.retired, free)
	return nil
}
