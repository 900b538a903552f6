// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"
	"slices"

	"g500/comm"
	"g500/cuda"
)

// granule divides the size of windows that other processes may open, because the driver shares memory with this
// granularity.
const granule = 2 << 20

func (c *transport) Open(label string, bytes int64) (*Window, error) {
	if err := c.Barrier(); err != nil { // frees the memory of closed windows
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

// cut shortens a window and its peers' windows, which must have equal lengths, to the requested length.
func (c *transport) cut(w *Window, label string, bytes int64) error {
	for r, peer := range w.Peers {
		if c.routes[r].peer() && peer.Bytes() != w.Bytes() {
			return fmt.Errorf("gpu: the window %s has %d bytes on this rank, and %d on rank %d",
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

// expose opens a window on this rank and its peers. The caller closes it, also after an error.
func (c *transport) expose(own cuda.Memory) (*Window, error) {
	w := &Window{Memory: own, Peers: make([]cuda.Memory, c.host.Size())}
	var opened []*cuda.Buffer
	var err error
	if c.peers {
		opened, err = c.openPeers(own, w.Peers)
	}
	w.close = func() error {
		faults := []error{c.device.Synchronize()} // waits for writes to the peers' windows
		for _, buffer := range opened {
			faults = append(faults, buffer.Free())
		}
		return errors.Join(faults...)
	}
	return w, err
}

// openPeers opens the memory that the peers expose. The caller frees what is opened, also after an error.
func (c *transport) openPeers(own cuda.Memory, peers []cuda.Memory) (opened []*cuda.Buffer, err error) {
	handle, err := own.Share(slices.Contains(c.routes, acrossProcesses))
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
		buffer, err := c.device.OpenShared(cuda.Handle(handles[r]), route == withinProcess)
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
