// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"

	"g500/comm"
	"g500/cuda"
	"g500/settings"
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

// Levels runs levels of a search without vertices (net.Levels), with the exchanges of searches level by level, by one
// transport between all ranks.
type Levels struct {
	t         Transport
	x         *Exchanger
	level     *cuda.EmptyLevel
	send, all *cuda.Buffer
	lengths   []int64 // by rank: of the messages of an all-to-all
}

// LevelTransports returns the transports whose levels can be measured: the one between remote ranks that the user has
// named, else all. It is collective.
func (l *Links) LevelTransports() (names []string, err error) {
	if chosen := meaningOf(l.transport); chosen.remote != AutoTransport {
		return []string{chosen.remote}, nil
	}
	for _, r := range remotes {
		there, err := r.there(l.t.Host())
		if err != nil {
			return nil, err
		}
		if there {
			names = append(names, r.name)
		}
	}
	return names, nil
}

// Levels opens levels by a transport, for exchanges of that many bytes. It is collective. The levels are closed before
// the links.
func (l *Links) Levels(transport string, bytes int64) (*Levels, error) {
	joined, err := Join(l.t.Host(), l.t.Device(), Options{Transport: transport, Staging: StagingBytes})
	if err != nil {
		return nil, err
	}
	v := &Levels{t: joined, lengths: make([]int64, l.t.Host().Size())}
	if v.x, err = joined.Exchanges(); err == nil {
		err = comm.Agree(l.t.Host(), v.alloc(bytes))
	}
	if err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return v, nil
}

func (l *Levels) alloc(bytes int64) (err error) {
	d := l.t.Device()
	if l.level, err = d.NewEmptyLevel(settings.Default().Policy.Wait()); err != nil {
		return err
	}
	if l.send, err = d.Alloc("messages to send", bytes); err != nil {
		return err
	}
	l.all, err = d.Alloc("received messages", bytes)
	return err
}

// Groups returns the number of groups of ranks that are peers.
func (l *Links) Groups() int { return l.t.(*transport).domains }

// Name describes the transport.
func (l *Levels) Name() string { return fmt.Sprint(l.t.(*transport).remote) }

// Kernels runs a level without an exchange.
func (l *Levels) Kernels() error {
	alone := cuda.Messages{Send: l.send.Memory, Into: l.all.Memory, Sent: l.lengths[:1]}
	return l.level.Run(alone, 0, 1, func() error { return nil }, l.x)
}

// AllGather runs a level in which the ranks gather parts of that many bytes.
func (l *Levels) AllGather(bytes int) error {
	m, rank := l.messages(bytes), l.t.Host().Rank()
	m.Send = m.Into.Part(int64(rank)*m.Place, m.Place)
	return l.level.Run(m, rank, 1, func() error { return l.x.AllGatherOn(m.Send, m.Into) }, l.x)
}

// AllToAll runs a level in which each rank sends that many bytes to each other rank.
func (l *Levels) AllToAll(bytes int) error {
	m := l.messages(bytes)
	return l.level.Run(m, l.t.Host().Rank(), len(m.Sent), func() error { return l.x.AllToAllOn(m) }, l.x)
}

// messages returns messages of that many bytes to and from each other rank.
func (l *Levels) messages(bytes int) cuda.Messages {
	place := int64(bytes)
	for r := range l.lengths {
		l.lengths[r] = place
	}
	l.lengths[l.t.Host().Rank()] = 0
	send, all := l.send.Part(0, int64(len(l.lengths))*place), l.all.Part(0, int64(len(l.lengths))*place)
	return cuda.Messages{Send: send, Into: all, Place: place, Sent: l.lengths, Received: l.lengths, Longest: place}
}

// Close frees everything. It is collective.
func (l *Levels) Close() error {
	return errors.Join(cuda.Free(l.level), cuda.Free(l.send, l.all), l.t.Close())
}
