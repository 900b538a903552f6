package net

import "g500/comm"

// Transport moves test messages between this rank and others.
type Transport interface {
	// Name says for people where messages lie and how they go.
	Name() string
	// OnDevices says whether messages lie in the memory of GPUs.
	OnDevices() bool
	// Reaches says whether this rank and another one can be measured as a pair; both say the same.
	Reaches(peer int) bool
	// Trip is a message to a peer and, when that is there, one back. Both ranks call it, and one leads. The other may
	// return before the trip is over.
	Trip(peer, bytes int, leads bool) error
	// Window is n messages that are under way to a peer together. It returns to the rank that leads, which sends them,
	// when all are there.
	Window(peer, bytes, n int, leads bool) error
	// AllToAll sends so many bytes, a multiple of 8, to each rank, this one too. It is collective.
	AllToAll(bytes int) error
}

// hostMemory is the Transport of messages in host memory.
type hostMemory struct {
	t          comm.Transport
	name       string
	send, recv []byte
}

// OverHosts returns a transport of messages in host memory over t. name describes it; room is Plan.Room.
func OverHosts(t comm.Transport, name string, room int64) Transport {
	h := &hostMemory{t: t, name: name, send: make([]byte, room), recv: make([]byte, room)}
	for i := range h.send {
		h.send[i] = byte(i) // memory that was never written is one page of zeros, which stays in the cache
	}
	return h
}

func (h *hostMemory) Name() string     { return h.name }
func (h *hostMemory) OnDevices() bool  { return false }
func (h *hostMemory) Reaches(int) bool { return true }

func (h *hostMemory) Trip(peer, bytes int, leads bool) error {
	out, in := [][]byte{h.send[:bytes]}, [][]byte{h.recv[:bytes]}
	if leads {
		return first(h.t.SendRecv(peer, out, nil), func() error { return h.t.SendRecv(peer, nil, in) })
	}
	return first(h.t.SendRecv(peer, nil, in), func() error { return h.t.SendRecv(peer, out, nil) })
}

// answerBytes is the length of the message that says that all of a window is there.
const answerBytes = 8

func (h *hostMemory) Window(peer, bytes, n int, leads bool) error {
	if leads {
		return first(h.t.SendRecv(peer, parts(h.send, bytes, n), nil),
			func() error { return h.t.SendRecv(peer, nil, parts(h.recv, answerBytes, 1)) })
	}
	return first(h.t.SendRecv(peer, nil, parts(h.recv, bytes, n)),
		func() error { return h.t.SendRecv(peer, parts(h.send, answerBytes, 1), nil) })
}

func (h *hostMemory) AllToAll(bytes int) error {
	n := h.t.Size()
	_, err := h.t.AllToAllInto(parts(h.send, bytes, n), parts(h.recv, bytes, n))
	return err
}

// parts are n parts of so many bytes, one after another.
func parts(memory []byte, bytes, n int) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		all[i] = memory[i*bytes : (i+1)*bytes]
	}
	return all
}

// first does the next thing if the one before went well.
func first(err error, next func() error) error {
	if err != nil {
		return err
	}
	return next()
}
