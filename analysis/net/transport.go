// SPDX-License-Identifier: Apache-2.0

package net

import (
	"errors"

	"g500/comm"
)

// noPeer is the peer of a rank that has none in a round: Trip and Window move no message then.
const noPeer = -1

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
	Close() error
}

// hostMemory is the Transport of messages in host memory. It is a comm.Pieces: each piece is a message to or from peer.
type hostMemory struct {
	t          comm.Transport
	name       string
	send, recv []byte

	peer, bytes    int // of the present messages
	sent, received int // their numbers, of which one is 0
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
func (h *hostMemory) Close() error     { return nil }

func (h *hostMemory) Trip(peer, bytes int, leads bool) error {
	return errors.Join(h.move(peer, bytes, 1, leads), h.move(peer, bytes, 1, !leads))
}

// replyBytes is the length of the reply to a window.
const replyBytes = 8

func (h *hostMemory) Window(peer, bytes, n int, leads bool) error {
	return errors.Join(h.move(peer, bytes, n, leads), h.move(peer, replyBytes, 1, !leads))
}

// move sends n messages to a peer, or receives them.
func (h *hostMemory) move(peer, bytes, n int, sends bool) error {
	h.peer, h.bytes, h.sent, h.received = peer, bytes, 0, n
	if sends {
		h.sent, h.received = n, 0
	}
	return h.t.AllToAllPieces(h)
}

func (h *hostMemory) Enter() (leave func(), err error)     { return func() {}, nil }
func (h *hostMemory) Out(_, i int) (piece []byte, _ error) { return h.send[i*h.bytes:][:h.bytes], nil }
func (h *hostMemory) In(_, i int) (memory []byte, _ error) { return h.recv[i*h.bytes:][:h.bytes], nil }
func (h *hostMemory) Arrived(int, int) error               { return nil }

func (h *hostMemory) Counts(rank int) (sent, received int) {
	if rank != h.peer {
		return 0, 0
	}
	return h.sent, h.received
}
