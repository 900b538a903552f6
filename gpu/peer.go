//go:build cuda && cgo

package gpu

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

func (c *carrier) Open(label string, bytes int64) (*Window, error) {
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
	w := &Window{Memory: own.Part(0, bytes), Peers: make([]cuda.Memory, c.host.Size())}
	var opened []*cuda.Buffer
	w.close = func() error { return c.closeWindow(own, opened) }
	if c.peers {
		opened, err = c.openPeers(label, w, own)
		if err := comm.Agree(c.host, err); err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	return w, nil
}

// openPeers fills in the peers' windows. What is opened is to be closed, also after an error.
func (c *carrier) openPeers(label string, w *Window, own *cuda.Buffer) (opened []*cuda.Buffer, err error) {
	handle, err := own.Share(slices.Contains(c.routes, across))
	if err := comm.Agree(c.host, err); err != nil {
		return nil, err
	}
	handles, err := tellAll(c.host, handle[:])
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
		if buffer.Bytes() != own.Bytes() {
			return opened, fmt.Errorf("gpu: the window %s is of %d bytes here, and of %d on rank %d", label, own.Bytes(), buffer.Bytes(), r)
		}
		w.Peers[r] = buffer.Part(0, w.Bytes())
	}
	return opened, nil
}

// closeWindow keeps the memory as long as a peer may have it open.
func (c *carrier) closeWindow(own *cuda.Buffer, opened []*cuda.Buffer) error {
	faults := []error{c.device.Synchronize()} // nothing is under way into the peers' windows any more
	for _, buffer := range opened {
		faults = append(faults, buffer.Free())
	}
	if slices.ContainsFunc(c.routes, route.peer) {
		c.retired = append(c.retired, own)
	} else {
		faults = append(faults, own.Free())
	}
	return errors.Join(faults...)
}

// tellAll gives a message to every rank, and returns theirs, which belong to the host's transport.
func tellAll(t comm.Transport, message []byte) ([][]byte, error) {
	send := make([][]byte, t.Size())
	for r := range send {
		send[r] = message
	}
	return t.AllToAll(send)
}
