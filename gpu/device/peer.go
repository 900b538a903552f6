// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"
	"slices"

	"g500/comm"
	"g500/cuda"
	"g500/internal/machine"
)

// granule divides the size of windows that other processes may open, because the driver shares memory with this
// granularity.
const granule = 2 << 20

func (c *transport) Open(label string, bytes int64) (*Window, error) {
	if err := c.Barrier(); err != nil { // frees the memory of closed windows
		return nil, err
	}
	size := bytes
	if c.peers {
		size = max((bytes+granule-1)/granule, 1) * granule
	}
	own, err := c.device.Alloc(label, size)
	if agreed := comm.Agree(c.host, err); agreed != nil {
		if err == nil {
			agreed = errors.Join(agreed, own.Free())
		}
		return nil, agreed
	}
	w, err := c.expose(own.Memory)
	for r, peer := range w.Peers {
		if err == nil && c.routes[r].peer() {
			w.Peers[r] = peer.Part(0, bytes)
		}
	}
	w.Memory = w.Part(0, bytes)
	closeViews := w.close
	w.close = func() error { return errors.Join(closeViews(), c.Retire(own.Free)) }
	if err := comm.Agree(c.host, err); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

func (c *transport) Expose(own cuda.Memory) (*Window, error) {
	w, err := c.expose(own)
	if err := comm.Agree(c.host, err); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// expose opens a window on this rank and its peers. The caller closes it, also after an error.
func (c *transport) expose(own cuda.Memory) (*Window, error) {
	w := &Window{Memory: own, Peers: make([]cuda.Memory, c.host.Size())}
	var opened []*cuda.Buffer
	var err error
	if c.peers {
		opened, err = c.openPeers(own, w.Peers)
	}
	w.close = func() error {
		written := c.device.Synchronize() // waits for writes to the peers' windows
		return errors.Join(written, cuda.Free(opened...))
	}
	return w, err
}

// openPeers opens the memory that the peers expose. The caller frees what is opened, also after an error.
func (c *transport) openPeers(own cuda.Memory, peers []cuda.Memory) (opened []*cuda.Buffer, err error) {
	handle, err := own.Share(slices.Contains(c.routes, acrossProcesses))
	if err := comm.Agree(c.host, err); err != nil {
		return nil, err
	}
	handles, err := comm.Gathered(c.host, handle)
	if err != nil {
		return nil, err
	}
	for r, route := range c.routes {
		if !route.peer() {
			continue
		}
		buffer, err := c.device.OpenShared(handles[r], route == withinProcess)
		if err != nil {
			return opened, err
		}
		opened = append(opened, buffer)
		peers[r] = buffer.Memory
	}
	return opened, nil
}

func (c *transport) Retire(free func() error) error {
	if !slices.ContainsFunc(c.routes, route.peer) {
		return free()
	}
	c.retired = append(c.retired, free)
	return nil
}

// findPeers sets the routes to peers: ranks that the driver can reach, that remote does not exclude, and that a probe
// reaches. If all is set, it returns an error if a rank is not a peer.
func (c *transport) findPeers(remote func(a, b int) bool, all bool) error {
	faults := make([]error, c.host.Size()) // by rank: the reason why it is not a peer
	c.introduce(faults)
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
func (c *transport) introduce(faults []error) {
	nodes, mine := c.host.Nodes(), c.places[c.host.Rank()]
	for r, other := range c.places {
		switch {
		case r == c.host.Rank():
		case other.Node != mine.Node || nodes[r] != nodes[c.host.Rank()]:
			faults[r] = errors.New("it runs on another node")
		case other.Process == mine.Process:
			c.routes[r], faults[r] = withinProcess, c.device.Reach(other.UUID, true)
		default:
			c.routes[r], faults[r] = acrossProcesses, c.device.Reach(other.UUID, false)
		}
	}
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
	handles, err := comm.Gathered(c.host, handle)
	if err != nil {
		return err
	}
	for r, route := range c.routes {
		if route == acrossProcesses && faults[r] == nil {
			faults[r] = unshared
		}
		if route.peer() && faults[r] == nil {
			faults[r] = c.writeProbe(own, handles[r], route == withinProcess)
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

// RemoteRanks returns the number of ranks that are not peers of this one.
func RemoteRanks(t Transport) (n int64) {
	for r := range t.Host().Size() {
		if r != t.Host().Rank() && !t.Peer(r) {
			n++
		}
	}
	return n
}

// AtomicPeers reports whether all ranks are peers whose kernels have atomics in each other's memory. It is collective.
func AtomicPeers(t Transport) (bool, error) {
	uuids, err := comm.AllGatherBytes(t.Host(), []byte(t.Device().UUID))
	if err != nil {
		return false, err
	}
	without := RemoteRanks(t) // ranks in whose memory this rank has no atomics
	for r, other := range uuids {
		if !t.Peer(r) {
			continue
		}
		has, fault := t.Device().HasAtomics(string(other))
		if !has {
			without++
		}
		err = errors.Join(err, fault)
	}
	without, err = comm.ReduceAgreed(t.Host(), without, comm.Sum, err)
	return without == 0, err
}

// ByRank returns the windows of all ranks as this GPU sees them: its own window and the windows of its peers.
func ByRank(t Transport, w *Window) []cuda.Memory {
	all := slices.Clone(w.Peers)
	all[t.Host().Rank()] = w.Memory
	return all
}

// Free returns this rank's share of the free memory of its GPU. It is collective, so that no rank allocates meanwhile.
func Free(t Transport) (int64, error) {
	if err := t.Host().Barrier(); err != nil {
		return 0, err
	}
	free, err := t.Device().Free()
	return free / int64(len(t.Sharers())), comm.Agree(t.Host(), err)
}

// TryConcurrency returns an error unless kernels of a process's ranks run at the same time, because in a search they
// wait for each other. It is collective.
func TryConcurrency(t Transport) error {
	ranks, err := comm.Sharers(t.Host(), machine.Process())
	if err != nil {
		return err
	}
	number, err := t.Device().NextConcurrencyTrial()
	if err := comm.Agree(t.Host(), err); err != nil {
		return err
	}
	if len(ranks) > 1 {
		err = t.Device().TryConcurrency(number, slices.Index(ranks, t.Host().Rank()), len(ranks))
	}
	return comm.Agree(t.Host(), err)
}
