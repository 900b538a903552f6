// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"g500/comm"
	"g500/cuda"
	"g500/internal/lists"
	"g500/internal/machine"
)

// transport is the Transport. It writes to peers and sends messages to remote ranks.
type transport struct {
	host    comm.Transport
	device  *cuda.Device
	places  []place // by rank
	sharers []int
	routes  []route            // by rank
	peers   bool               // some two ranks of the job are peers
	copies  []*cuda.CopyStream // by rank, for this rank and its peers
	remote  remoteTransport    // nil if all ranks of the job are peers
	retired []func() error     // free memory that a peer may have open
	between string             // name of the transport between remote ranks
	domains int                // groups of ranks that are peers of each other
	choice  string             // of Choice
	staging int64              // of Options

	exchanges *Exchanger // of Exchanges
}

// place identifies the node, the process and the GPU of a rank.
type place struct{ Node, Process, UUID, BusID string }

// ranksWith returns the ranks, in order, whose places are like this rank's.
func (c *transport) ranksWith(like func(other, mine place) bool) []int {
	return lists.Indices(c.places, func(other place) bool { return like(other, c.places[c.host.Rank()]) })
}

// route is the path of data from this rank to another rank.
type route int

const (
	itself          route = iota
	withinProcess         // to a peer in this process, whose addresses are valid here
	acrossProcesses       // to a peer in another process of this node
	remoteRank
)

func (r route) peer() bool { return r == withinProcess || r == acrossProcesses }

// Options choose how the ranks' devices are joined.
type Options struct {
	Transport string              // a value of --gpu-transport
	Staging   int64               // bytes of each buffer in host memory
	Remote    func(a, b int) bool // reports ranks that must not become peers; nil, except in tests
}

// Open opens this rank's GPU and joins it with the other ranks' GPUs by a value of --gpu-transport. It is collective.
// The device is closed after the transport. Both belong to the calling goroutine, which is locked to its thread.
func Open(t comm.Transport, transport string) (Transport, error) {
	rank, _ := comm.PlaceOnHost(t) // ranks of emulated nodes share no more GPUs than without
	d, err := cuda.Open(rank)
	if err := comm.Agree(t, err); err != nil {
		if d == nil {
			return nil, err
		}
		return nil, errors.Join(err, d.Close())
	}
	joined, err := Join(t, d, Options{Transport: transport, Staging: StagingBytes})
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return joined, nil
}

// Join joins this rank's device with the other ranks' devices. It is collective.
func Join(t comm.Transport, d *cuda.Device, o Options) (Transport, error) {
	chosen := meaningOf(o.Transport)
	places, err := comm.Gathered(t, place{machine.NodeID(), machine.Process(), d.UUID, d.BusID})
	if err != nil {
		return nil, err
	}
	n := t.Size()
	c := &transport{host: t, device: d, places: places, staging: o.Staging}
	c.sharers = c.ranksWith(func(other, mine place) bool { return other.Node == mine.Node && other.UUID == mine.UUID })
	c.routes = slices.Repeat([]route{remoteRank}, n)
	c.routes[t.Rank()] = itself
	if c.between = chosen.remote; c.between == AutoTransport {
		c.between = StagedTransport // until it is chosen, and between peers that exchange like remote ranks
	}
	if chosen.peers && n > 1 {
		err = c.findPeers(o.Remote, chosen.peersOnly)
	}
	if err == nil {
		err = c.open(chosen.remote)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// open creates the copy streams, and opens and tries the transport to remote ranks if there are any.
func (c *transport) open(remote string) error {
	ranks := c.remoteRanks()
	most := []int64{int64(len(ranks)), int64(c.host.Size() - 1 - len(ranks))}
	if err := c.host.AllReduce(most, comm.Max); err != nil {
		return err
	}
	c.peers = most[1] > 0
	if err := c.countDomains(); err != nil {
		return err
	}
	c.copies = make([]*cuda.CopyStream, len(c.routes))
	var err error
	for r, route := range c.routes {
		if route != remoteRank && err == nil {
			c.copies[r], err = c.device.NewCopyStream()
		}
	}
	if err := comm.Agree(c.host, err); err != nil || most[0] == 0 {
		return err
	}
	if remote == AutoTransport {
		return c.choose(ranks, c.staging/most[0])
	}
	return c.use(remote, ranks, c.staging/most[0])
}

// use opens a transport to the remote ranks, and the exchanges, which try it. It is collective.
func (c *transport) use(remote string, ranks []int, piece int64) error {
	c.between = remote
	opened, err := c.newRemote(remote, ranks, piece)
	if err != nil {
		return err
	}
	c.remote = opened
	_, err = c.Exchanges()
	return err
}

// remoteRanks returns the ranks that are not peers of this one.
func (c *transport) remoteRanks() []int {
	return lists.Indices(c.routes, func(r route) bool { return r == remoteRank })
}

func (c *transport) Host() comm.Transport { return c.host }
func (c *transport) Device() *cuda.Device { return c.device }
func (c *transport) Sharers() []int       { return c.sharers }
func (c *transport) Peer(rank int) bool   { return c.routes[rank].peer() }
func (c *transport) Choice() string       { return c.choice }

func (c *transport) Describe() string {
	var all []string
	others, remote := len(c.routes)-1, len(c.remoteRanks())
	if peers := others - remote; peers > 0 {
		all = append(all, fmt.Sprintf("%s to %d of %d other ranks", PeerTransport, peers, others))
	}
	if remote > 0 {
		all = append(all, fmt.Sprintf("%s to %d of %d other ranks", c.remote, remote, others))
	}
	return cmp.Or(strings.Join(all, ", "), "one rank")
}

func (c *transport) Barrier() error {
	if err := c.device.Synchronize(); err != nil || len(c.routes) == 1 {
		return err
	}
	retired, err := comm.Reduce(c.host, int64(len(c.retired)), comm.Max)
	if err != nil || retired == 0 {
		return err
	}
	// Freeing memory waits for all kernels of the process. Therefore no rank may launch a kernel that waits for this
	// rank before the memory is free.
	return errors.Join(c.release(), c.host.Barrier())
}

// release frees memory that all ranks have closed.
func (c *transport) release() error {
	faults := lists.Of(c.retired, func(free func() error) error { return free() })
	c.retired = nil
	return errors.Join(faults...)
}

func (c *transport) Close() error {
	faults := []error{c.release(), cuda.Free(c.copies...)}
	c.copies = nil
	return errors.Join(append(faults, c.closeRemote())...)
}
