//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"

	"g500/comm"
	"g500/cuda"
)

// remoteTransport moves data between remote ranks.
type remoteTransport interface {
	// move makes the transfers between remote ranks after the device's work. longest is an upper bound of the messages
	// between any two ranks, the same on all ranks. When it returns, the device's stream has all copies to the device. It
	// is collective.
	move(all []transfer, longest int64) error
	// String describes the transport.
	String() string
	close() error
}

// gatherer is a remoteTransport with an all-gather that is faster than messages if no two ranks are peers.
type gatherer interface {
	// gather all-gathers equal parts, one for each rank. It is collective.
	gather(all cuda.Memory) error
}

// newRemote opens a transport to remote ranks. bytes limits the staging per rank and direction. It is collective.
func (c *transport) newRemote(name string, ranks []int, bytes int64) (remoteTransport, error) {
	if name == NCCLTransport {
		return newCollectives(c)
	}
	aware, err := allCUDAAware(c.host)
	if err != nil {
		return nil, err
	}
	n := c.host.Size()
	if aware && name == MPITransport {
		return &fromDevice{c.host, c.device, ranks, make([][]byte, n), make([][]byte, n)}, nil
	}
	s := &staging{host: c.host, device: c.device, ranks: ranks, piece: stagedPiece(bytes)}
	if err := comm.Agree(c.host, s.open()); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// allCUDAAware reports whether the MPI libraries of all ranks accept device memory; they may differ. It is collective.
func allCUDAAware(host comm.Transport) (bool, error) {
	aware := int64(0)
	if comm.CUDAAware() {
		aware = 1
	}
	aware, err := comm.Reduce(host, aware, comm.Min)
	return aware == 1, err
}

// tryRemote sends two words from every rank to all others, as parts and as messages, and checks that they arrive,
// because a library may claim more than it does. It is collective.
func (c *transport) tryRemote() error {
	const part = 2 * 8
	n := c.host.Size()
	w, err := c.Open("trial of the transport", int64(n)*2*part)
	if err != nil {
		return err
	}
	if err := c.tryWindow(w, part); err != nil {
		return errors.Join(err, w.Close())
	}
	for i := range c.traffic {
		c.traffic[i] = Traffic{Transport: c.traffic[i].Transport}
	}
	return comm.Agree(c.host, w.Close())
}

// tryWindow is tryRemote in a window of parts of twice that many bytes.
func (c *transport) tryWindow(w *Window, part int64) error {
	n, me := c.host.Size(), c.host.Rank()
	words := make([]uint64, 4*n)
	for i := range 4 {
		words[4*me+i] = probeWord(me)
	}
	if err := cuda.Write(w.Memory, 0, words); err != nil {
		return err
	}
	if err := c.AllGatherSlice(w, 2*part, part, part); err != nil {
		return err
	}
	if err := comm.Agree(c.host, c.checkTrial(w, int(part/8))); err != nil {
		return err
	}
	if err := c.AllGather(w, 2*part); err != nil {
		return err
	}
	return comm.Agree(c.host, c.checkTrial(w, 0))
}

// checkTrial checks each rank's part in the trial, starting with one of its words.
func (c *transport) checkTrial(w *Window, from int) error {
	words := make([]uint64, 4*c.host.Size())
	if err := cuda.Read(words, w.Memory, 0); err != nil {
		return err
	}
	for i, word := range words {
		if want := probeWord(i / 4); i%4 >= from && word != want {
			return fmt.Errorf("gpu: %#x comes from rank %d in place of %#x (%s): try --gpu-transport %s",
				word, i/4, want, c.remote, StagedTransport)
		}
	}
	return nil
}

// fromDevice moves data between the device memories of remote ranks by a CUDA-aware MPI.
type fromDevice struct {
	host       comm.Transport
	device     *cuda.Device
	ranks      []int    // remote ranks
	send, into [][]byte // by rank: device memory, arguments of AllToAllInto
}

func (f *fromDevice) String() string { return "MPI from device memory" }

func (f *fromDevice) move(all []transfer, _ int64) error {
	if err := f.device.Synchronize(); err != nil {
		return err
	}
	for _, r := range f.ranks {
		f.send[r], f.into[r] = all[r].send.Foreign(), all[r].receive.Foreign()
	}
	return f.host.AllToAllInto(f.send, f.into)
}

func (f *fromDevice) close() error { return nil }
