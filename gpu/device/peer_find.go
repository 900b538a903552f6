// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"g500/comm"
	"g500/cuda"
	"g500/internal/machine"
)

// findPeers sets the routes to peers: ranks that the driver can reach, that remote does not exclude, and that a probe
// reaches. If all is set, it returns an error if a rank is not a peer.
func (c *transport) findPeers(remote func(a, b int) bool, all bool) error {
	faults := make([]error, c.host.Size()) // by rank: the reason why it is not a peer
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

// introduce finds the ranks that may be peers by their nodes, processes and GPUs.
func (c *transport) introduce(faults []error) error {
	uuid, err := c.device.UUID()
	if err := comm.Agree(c.host, err); err != nil {
		return err
	}
	mine := []string{machine.NodeID(), machine.Process(), uuid}
	cards, err := comm.AllGatherBytes(c.host, []byte(strings.Join(mine, "\n")))
	if err != nil {
		return err
	}
	nodes := c.host.Nodes()
	for r, card := range cards {
		other := strings.Split(string(card), "\n")
		switch {
		case r == c.host.Rank():
		case other[0] != mine[0] || nodes[r] != nodes[c.host.Rank()]:
			faults[r] = errors.New("it runs on another node")
		case other[1] == mine[1]:
			c.routes[r], faults[r] = withinProcess, c.device.Reach(other[2], true)
		default:
			c.routes[r], faults[r] = acrossProcesses, c.device.Reach(other[2], false)
		}
	}
	return nil
}

// probe writes a word into the memory of each rank that may be a peer, and checks the words from them.
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
	handle, unshared := own.Share(slices.Contains(c.routes, acrossProcesses))
	handles, err := comm.AllGatherBytes(c.host, handle[:])
	if err != nil {
		return err
	}
	for r, route := range c.routes {
		if route == acrossProcesses && faults[r] == nil {
			faults[r] = unshared
		}
		if route.peer() && faults[r] == nil {
			faults[r] = c.writeProbe(own, cuda.Handle(handles[r]), route == withinProcess)
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
			faults[r] = errors.New("its writes to this rank's GPU do not arrive")
		}
	}
	return own.Free()
}

// probeWord returns the word that a rank writes.
func probeWord(rank int) uint64 { return 0x5EED<<32 | uint64(rank) }

// writeProbe copies this rank's word from its own memory to the same offset in a peer's memory.
func (c *transport) writeProbe(own *cuda.Buffer, handle cuda.Handle, here bool) error {
	peer, err := c.device.OpenShared(handle, here)
	if err != nil {
		return err
	}
	at := int64(c.host.Rank()) * 8
	return errors.Join(c.device.Copy(peer.Part(at, 8), own.Part(at, 8)), c.device.Synchronize(), peer.Free())
}

// settle makes ranks remote if they or this rank have found a fault.
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
			remote = fmt.Errorf("gpu: rank %d is not a peer of this one: %w; "+
				"use --gpu-transport %s, which uses NCCL or MPI between ranks that are not peers", r, fault, AutoTransport)
		}
	}
	if all {
		return comm.Agree(c.host, remote)
	}
	return nil
}
