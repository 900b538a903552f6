// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"errors"
	"sync/atomic"
)

// Wrapper is embedded by a transport that changes some methods of another one. Its Unwrap method lets As find the
// optional interfaces of the wrapped transport.
type Wrapper struct{ Transport }

// Unwrap returns the wrapped transport.
func (w Wrapper) Unwrap() Transport { return w.Transport }

// As returns the first transport that implements the optional interface T: t itself, the transport that it wraps, etc.
func As[T any](t Transport) (found T, ok bool) {
	for {
		if found, ok = t.(T); ok {
			return found, true
		}
		wrapper, is := t.(interface{ Unwrap() Transport })
		if !is {
			return found, false
		}
		t = wrapper.Unwrap()
	}
}

// Advance reports that this rank has done a part of a long step, if its transport has such a method (Advancing). It
// sends no message.
func Advance(t Transport, done, total int64) {
	if watched, ok := As[interface{ Advance(done, total int64) }](t); ok {
		watched.Advance(done, total)
	}
}

// Advancing returns a transport that passes the progress of its rank to report.
func Advancing(t Transport, report func(done, total int64)) Transport {
	return &advancing{Wrapper{t}, report}
}

type advancing struct {
	Wrapper
	report func(done, total int64)
}

func (t *advancing) Advance(done, total int64) { t.report(done, total) }

// CountAs counts messages as a payload, a constant of package trace, until end is called, if the transport counts
// messages.
func CountAs(t Transport, payload string) (end func()) {
	counter, ok := As[interface{ CountAs(payload string) }](t)
	if !ok {
		return func() {}
	}
	counter.CountAs(payload)
	return func() { counter.CountAs("") }
}

// ErrAbandoned is the error of a step that all ranks abandon because one of them was stopped.
var ErrAbandoned = errors.New("comm: the work was abandoned, because a rank was stopped")

// Abandonable returns a transport whose AllReduce returns ErrAbandoned on all ranks, at the same call, if abandoned
// reports true on one of them. Each AllReduce has one more value for that; there are no extra messages. The transport
// remains usable: the other collectives do not change, and AllReduce works again if abandoned reports false.
func Abandonable(t Transport, abandoned func() bool) Transport {
	return &abandonable{Wrapper: Wrapper{t}, abandoned: abandoned}
}

type abandonable struct {
	Wrapper
	abandoned func() bool
	vals      []int64 // of AllReduce, with this rank's flag
}

func (t *abandonable) AllReduce(vals []int64, op Op) error {
	flag := int64(0)
	if t.abandoned() {
		flag = 1
	}
	if op == Min {
		flag = -flag
	}
	t.vals = append(append(t.vals[:0], vals...), flag)
	if err := t.Transport.AllReduce(t.vals, op); err != nil {
		return err
	}
	copy(vals, t.vals)
	if t.vals[len(vals)] != 0 {
		return ErrAbandoned
	}
	return nil
}

// Counted returns a transport that adds 1 to count when the rank enters a collective, and when it leaves it. The count
// is odd inside a collective. All ranks call the same collectives, so the others wait for the rank with the lowest
// count.
func Counted(t Transport, count *atomic.Int64) Transport { return &counted{Wrapper{t}, count} }

type counted struct {
	Wrapper
	count *atomic.Int64
}

// collective counts the entry into a collective; the returned function counts the exit.
func (t *counted) collective() (leave func()) {
	t.count.Add(1)
	return func() { t.count.Add(1) }
}

func (t *counted) Barrier() error {
	defer t.collective()()
	return t.Transport.Barrier()
}

func (t *counted) AllReduce(vals []int64, op Op) error {
	defer t.collective()()
	return t.Transport.AllReduce(vals, op)
}

func (t *counted) AllGather(words []uint64) error {
	defer t.collective()()
	return t.Transport.AllGather(words)
}

func (t *counted) AllToAll(send [][]byte) ([][]byte, error) {
	defer t.collective()()
	return t.Transport.AllToAll(send)
}

func (t *counted) NeighbourAllToAll(send [][]byte, n Neighbours) ([][]byte, error) {
	defer t.collective()()
	return t.Transport.NeighbourAllToAll(send, n)
}

func (t *counted) AllToAllPieces(p Pieces) error {
	defer t.collective()()
	return t.Transport.AllToAllPieces(p)
}

func (t *counted) AllToAllInto(send, into [][]byte) error {
	defer t.collective()()
	return t.Transport.AllToAllInto(send, into)
}

// Place returns this rank's place among the ranks of its node, from 0, and the number of these ranks.
func Place(t Transport) (place, onNode int) {
	nodes := t.Nodes()
	for r, node := range nodes {
		if node != nodes[t.Rank()] {
			continue
		}
		if r < t.Rank() {
			place++
		}
		onNode++
	}
	return place, onNode
}

// PlaceOnHost is Place without emulated nodes.
func PlaceOnHost(t Transport) (place, onHost int) {
	if e, is := As[*emulated](t); is {
		t = e.Transport
	}
	return Place(t)
}

// EmulateNodes returns a transport whose ranks are on the given nodes, to count traffic between nodes without a
// cluster.
func EmulateNodes(t Transport, nodes []int) Transport { return &emulated{Wrapper{t}, nodes} }

type emulated struct {
	Wrapper
	nodes []int
}

func (t *emulated) Nodes() []int { return t.nodes }
