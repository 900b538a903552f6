//go:build cuda && cgo

package device

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"

	"g500/comm"
	"g500/cuda"
	"g500/internal/machine"
)

// process parts ranks of one process, whose addresses are good for one another, from ranks of two. Numbers of processes
// would not do: containers on one host may have the same.
var process = rand.Text()

// findPeers sets the routes to ranks that are peers: that the driver says can be, that remote does not exclude, and
// that a probe reaches. With all, it is an error if one is not.
func (c *transport) findPeers(remote func(a, b int) bool, all bool) error {
	faults := make([]error, c.host.Size()) // why a rank is no peer
	if err := c.introduce(faults); err != nil {
		return err
	}
	for r, route := range c.routes {
		if remote != nil && route.peer() && remote(c.host.Rank(), r) {
			faults[r] = errors.New("it is excluded")
		}
	}
	if err := c.probe(faults); err != nil {
		return err
	}
	return c.settle(faults, all)
}

// introduce finds the ranks that can be peers, by what they say of themselves.
func (c *transport) introduce(faults []error) error {
	busID, err := c.device.BusID()
	if err := comm.Agree(c.host, err); err != nil {
		return err
	}
	mine := []string{machine.HostID(), process, busID}
	cards, err := comm.AllGatherBytes(c.host, []byte(strings.Join(mine, "\n")))
	if err != nil {
		return err
	}
	for r, card := range cards {
		other := strings.Split(string(card), "\n")
		switch {
		case r == c.host.Rank():
		case other[0] != mine[0]:
			faults[r] = errors.New("it runs on another host")
		case other[1] == mine[1]:
			c.routes[r], faults[r] = within, c.device.Reach(other[2], true)
		default:
			c.routes[r], faults[r] = across, c.device.Reach(other[2], false)
		}
	}
	return nil
}

// probe has each rank write a word into the memory of all others that it can reach, and see which words come.
func (c *transport) probe(faults []error) error {
	n, me := c.host.Size(), c.host.Rank()
	words := make([]uint64, n)
	words[me] = probeWord(me)
	own, err := c.device.Alloc("probe for peers", granule)
	if err == nil {
		err = cuda.Write(own.Memory, 0, words)
	}
	if err := comm.Agree(c.host, err); err != nil {
		return err
	}
	handle, unshared := own.Share(slices.Contains(c.routes, across))
	handles, err := comm.AllGatherBytes(c.host, handle[:])
	if err != nil {
		return err
	}
	for r, route := range c.routes {
		if route == across && faults[r] == nil {
			faults[r] = unshared
		}
		if route.peer() && faults[r] == nil {
			faults[r] = c.writeProbe(own, cuda.Handle(handles[r]), route == within)
		}
	}
	if err := c.host.Barrier(); err != nil {
		return err
	}
	if err := cuda.Read(words, own.Memory, 0); err != nil {
		return err
	}
	for r, route := range c.routes {
		if route.peer() && faults[r] == nil && words[r] != probeWord(r) {
			faults[r] = errors.New("what it writes into this rank's GPU does not arrive")
		}
	}
	return own.Free()
}

// probeWord is the word that a rank writes.
func probeWord(rank int) uint64 { return 0x5EED<<32 | uint64(rank) }

// writeProbe copies this rank's word from its own memory to the same place in a peer's.
func (c *transport) writeProbe(own *cuda.Buffer, handle cuda.Handle, here bool) error {
	peer, err := c.device.OpenShared(handle, here)
	if err != nil {
		return err
	}
	at := int64(c.host.Rank()) * 8
	return errors.Join(c.device.Copy(peer.Part(at, 8), own.Part(at, 8)), c.device.Synchronize(), peer.Free())
}

// settle makes peers of two ranks where neither finds a fault.
func (c *transport) settle(faults []error, all bool) error {
	send := make([][]byte, len(faults))
	for r, fault := range faults {
		if fault != nil {
			send[r] = []byte(fault.Error())
		}
	}
	theirs, err := c.host.AllToAll(send)
	if err != nil {
		return err
	}
	var remote error
	for r, fault := range faults {
		if fault == nil && len(theirs[r]) > 0 {
			fault = errors.New(string(theirs[r]))
		}
		if fault == nil {
			continue
		}
		c.routes[r] = remoteRank
		if remote == nil {
			remote = fmt.Errorf("gpu: rank %d is no peer of this one: %w; "+
				"the transport %s goes by way of the hosts where it must", r, fault, AutoTransport)
		}
	}
	if all {
		return comm.Agree(c.host, remote)
	}
	return nil
}
