package net

import (
	"slices"

	"g500/comm"
)

// Transport moves test messages between this rank and others.
type Transport interface {
	// Name describes the transport and the place of messages.
	Name() string
	// OnDevices reports whether messages are in GPU memory.
	OnDevices() bool
	// Reaches reports whether this rank and another one can be measured as a pair; both get the same result.
	Reaches(peer int) bool
	// Trip sends a message to a peer and, after its arrival, one back. Both ranks call it, and one leads. The other may
	// return before the trip is over.
	Trip(peer, bytes int, leads bool) error
	// Window sends n messages that are in flight to a peer together. It returns to the sender, the rank that leads, when
	// all have arrived.
	Window(peer, bytes, n int, leads bool) error
	// AllToAll sends that many bytes, a multiple of 8, to each rank, this one included. It is collective.
	AllToAll(bytes int) error
}

// hostMemory is the Transport of messages in host memory.
type hostMemory struct {
	t          comm.Transport
	name       string
	send, recv []byte
}

// OverHostMemory returns a transport of messages in host memory over t. name describes it; size is Plan.BufferBytes.
func OverHostMemory(t comm.Transport, name string, size int64) Transport {
	h := &hostMemory{t: t, name: name, send: make([]byte, size), recv: make([]byte, size)}
	for i := range h.send {
		h.send[i] = byte(i) // unwritten memory is one page of zeros, which stays in the cache
	}
	return h
}

func (h *hostMemory) Name() string     { return h.name }
func (h *hostMemory) OnDevices() bool  { return false }
func (h *hostMemory) Reaches(int) bool { return true }

func (h *hostMemory) Trip(peer, bytes int, leads bool) error {
	return h.swap(peer, h.send[:bytes], h.recv[:bytes], 1, leads)
}

// replyBytes is the length of the reply to a window.
const replyBytes = 8

func (h *hostMemory) Window(peer, bytes, n int, leads bool) error {
	if leads {
		return h.swap(peer, h.send[:n*bytes], h.recv[:replyBytes], n, true)
	}
	return h.swap(peer, h.send[:replyBytes], h.recv[:n*bytes], n, false)
}

// swap sends and receives a message, one after the other. The rank that leads sends first, in n parts.
func (h *hostMemory) swap(peer int, out, in []byte, n int, leads bool) error {
	if leads {
		if err := h.t.SendRecv(peer, parts(out, n), nil); err != nil {
			return err
		}
		return h.t.SendRecv(peer, nil, parts(in, 1))
	}
	if err := h.t.SendRecv(peer, nil, parts(in, n)); err != nil {
		return err
	}
	return h.t.SendRecv(peer, parts(out, 1), nil)
}

func (h *hostMemory) AllToAll(bytes int) error {
	n := h.t.Size()
	_, err := h.t.AllToAllInto(parts(h.send[:n*bytes], n), parts(h.recv[:n*bytes], n))
	return err
}

// parts divides memory into n equal parts.
func parts(memory []byte, n int) [][]byte { return slices.Collect(slices.Chunk(memory, len(memory)/n)) }
