//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"

	"g500/comm"
	"g500/cuda"
)

// Exchanges of Levels.Run, as in package net.
const (
	noExchange = "none"
	allGather  = "all-gather"
	allToAll   = "all-to-all"
)

// Levels runs levels of a search without vertices (net.Levels), with the exchanges of searches level by level, by one
// transport between all ranks.
type Levels struct {
	t         Transport
	x         Exchanger
	level     *cuda.EmptyLevel
	send, all *cuda.Buffer
	lengths   []int64 // by rank: of the messages of an all-to-all
}

// LevelTransports returns the transports whose levels can be measured: the one between remote ranks that the user has
// named, else all. It is collective.
func (l *Links) LevelTransports() ([]string, error) {
	if remote := choices[l.transport].remote; remote != AutoTransport {
		return []string{remote}, nil
	}
	aware, err := allCUDAAware(l.t.Host())
	if aware {
		return []string{NCCLTransport, MPITransport, StagedTransport}, err
	}
	return []string{NCCLTransport, StagedTransport}, err
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
	if l.level, err = d.NewEmptyLevel(); err != nil {
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

// Run runs a level with one of the exchanges.
func (l *Levels) Run(exchange string, bytes int) error {
	n, place := int64(len(l.lengths)), int64(bytes)
	me := l.t.Host().Rank()
	m := cuda.LevelMessages{
		Send: l.send.Memory, Received: l.all.Part(0, n*place), Place: place, Sent: len(l.lengths), Rank: me,
		Ranks: len(l.lengths),
	}
	switch exchange {
	case noExchange:
		m.Sent, m.Rank, m.Ranks = 1, 0, 1
		return l.level.Run(m, func() error { return nil }, l.x)
	case allGather:
		m.Send, m.Sent = l.all.Part(int64(me)*place, place), 1
		return l.level.Run(m, func() error { return l.x.AllGatherOn(m.Send, m.Received) }, l.x)
	case allToAll:
		for r := range l.lengths {
			if r != me {
				l.lengths[r] = place
			}
		}
		return l.level.Run(m, func() error {
			return l.x.AllToAllOn(cuda.Messages{
				Send: l.send.Part(0, n*place), Into: m.Received, Place: place, Sent: l.lengths, Received: l.lengths,
				Longest: place,
			})
		}, l.x)
	}
	return fmt.Errorf("gpu: a level has no exchange %q", exchange)
}

// Close frees everything. It is collective.
func (l *Levels) Close() error {
	var faults []error
	if l.level != nil {
		faults = append(faults, l.level.Free())
	}
	for _, buffer := range []*cuda.Buffer{l.send, l.all} {
		if buffer != nil {
			faults = append(faults, buffer.Free())
		}
	}
	return errors.Join(append(faults, l.t.Close())...)
}
