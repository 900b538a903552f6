//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"g500/comm"
	"g500/cuda"
)

// transport is the DeviceTransport. It has a route to each rank: peers are written to, remote ranks get messages.
type transport struct {
	host    comm.Transport
	device  *cuda.Device
	routes  []route
	peers   bool           // some two ranks of the job are peers
	lanes   []*cuda.Lane   // by rank: for copies to peers, and to itself
	beyond  string         // how words shall go to remote ranks
	away    remoteWay      // nil where all ranks of the job are peers
	remote  string         // for people: how searches exchange with remote ranks
	retired []func() error // give back memory that a peer may have open
	counts  []uint64       // of AllToAll: how many bytes rank r sends to rank q, at r*Size()+q
	traffic [2]Traffic
}

// route is how words go from this rank to another.
type route int

const (
	remoteRank route = iota // no peer
	itself
	within // to a peer in this process, whose addresses are good here
	across // to a peer in another process of this host
)

func (r route) peer() bool { return r == within || r == across }

// Options choose how the ranks' devices are joined.
type Options struct {
	Transport string              // a value of --gpu-transport
	Staging   int64               // bytes of each buffer in host memory
	Remote    func(a, b int) bool // reports ranks that must not become peers; nil, except in tests
}

// Join joins this rank's device with the other ranks' devices. It is collective.
func Join(t comm.Transport, d *cuda.Device, o Options) (Transport, error) {
	c, err := newTransport(t, d, o)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Open opens this rank's GPU and joins it with the other ranks' GPUs by a value of --gpu-transport. It is collective.
// The device is closed after the transport. Both belong to the calling goroutine, which stays on one thread until then.
func Open(t comm.Transport, transport string) (Transport, error) {
	rank, _ := comm.Place(t)
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

func newTransport(t comm.Transport, d *cuda.Device, o Options) (c *transport, err error) {
	chosen, known := choices[o.Transport]
	if !known {
		return nil, fmt.Errorf("gpu: there is no transport %q: choose %s",
			o.Transport, strings.Join(slices.Sorted(maps.Keys(choices)), ", "))
	}
	n := t.Size()
	c = &transport{host: t, device: d, routes: make([]route, n), counts: make([]uint64, n*n), beyond: chosen.beyond}
	c.routes[t.Rank()] = itself
	c.traffic[0].Transport, c.traffic[1].Transport = PeerTransport, chosen.beyond
	if n == 1 {
		return c, nil
	}
	if chosen.peers {
		err = c.findPeers(o.Remote, chosen.only)
	}
	if err == nil {
		err = c.prepare(o.Staging)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// prepare opens the copy streams and the transport that the routes need.
func (c *transport) prepare(stagingBytes int64) error {
	var remote []int
	for r, route := range c.routes {
		if route == remoteRank {
			remote = append(remote, r)
		}
	}
	most := []int64{int64(len(remote)), int64(c.host.Size() - 1 - len(remote))}
	if err := c.host.AllReduce(most, comm.Max); err != nil {
		return err
	}
	c.peers = most[1] > 0
	c.lanes = make([]*cuda.Lane, len(c.routes))
	var err error
	for r, route := range c.routes {
		if route != remoteRank && err == nil {
			c.lanes[r], err = c.device.NewLane()
		}
	}
	if err := comm.Agree(c.host, err); err != nil || most[0] == 0 {
		return err
	}
	away, err := newRemoteWay(c, remote, stagingBytes/most[0])
	if err != nil {
		return err
	}
	c.away = away
	if err := c.tryRemote(); err != nil {
		return err
	}
	return c.trySharedWindows()
}

// trySharedWindows finds out for people how searches will exchange with remote ranks. It is collective.
func (c *transport) trySharedWindows() error {
	s, err := OpenSharedWindows(c, granule)
	if err != nil {
		return err
	}
	switch {
	case s.fault != nil:
		c.remote = fmt.Sprintf("; searches send them messages, since this host's memory cannot be shared (%v)", s.fault)
	case s.Ranks() > 0:
		c.remote = fmt.Sprintf("; searches share memory of the host with %d of them", s.Ranks())
	}
	return s.Close()
}

func (c *transport) Host() comm.Transport { return c.host }
func (c *transport) Device() *cuda.Device { return c.device }
func (c *transport) Peer(rank int) bool   { return c.routes[rank].peer() }
func (c *transport) Traffic() []Traffic   { return slices.Clone(c.traffic[:]) }

func (c *transport) Describe() string {
	var ways []string
	peers, others := 0, 0
	for _, route := range c.routes {
		switch {
		case route.peer():
			peers++
		case route == remoteRank:
			others++
		}
	}
	if peers > 0 {
		ways = append(ways, fmt.Sprintf("%s to %d of %d other ranks", PeerTransport, peers, peers+others))
	}
	if others > 0 {
		ways = append(ways, fmt.Sprintf("%s to %d of %d other ranks%s", c.away, others, peers+others, c.remote))
	}
	if len(ways) == 0 {
		return "one rank"
	}
	return strings.Join(ways, ", ")
}

func (c *transport) Barrier() error {
	if err := c.device.Synchronize(); err != nil || len(c.routes) == 1 {
		return err
	}
	retired, err := comm.Reduce(c.host, int64(len(c.retired)), comm.Max)
	if err != nil || retired == 0 {
		return err
	}
	// Freeing memory waits for all kernels in the process. Nobody may start one that waits for this rank before it is
	// done.
	return errors.Join(c.release(), c.host.Barrier())
}

// release gives back memory that all ranks have closed.
func (c *transport) release() error {
	var faults []error
	for _, free := range c.retired {
		faults = append(faults, free())
	}
	c.retired = nil
	return errors.Join(faults...)
}

func (c *transport) Close() error {
	faults := []error{c.release()}
	for _, lane := range c.lanes {
		if lane != nil {
			faults = append(faults, lane.Close())
		}
	}
	if c.away != nil {
		faults = append(faults, c.away.close())
	}
	c.lanes, c.away = nil, nil
	return errors.Join(faults...)
}
