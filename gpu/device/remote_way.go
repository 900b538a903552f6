//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"

	"g500/comm"
	"g500/cuda"
)

// remoteWay carries words between remote ranks.
type remoteWay interface {
	// move makes the transfers between remote ranks. longest is that of all messages between two ranks, the same on all
	// ranks. It is collective.
	move(all []transfer, longest int64) error
	// String says for people how the words go.
	String() string
	close() error
}

// gatherer is a remoteWay that brings the parts of all ranks to all ranks in a better way than by messages, where no
// two ranks are peers.
type gatherer interface {
	// gather fills memory of as many equal parts as there are ranks. It is collective.
	gather(all cuda.Memory) error
}

// newRemoteWay opens the chosen transport. It is collective.
func newRemoteWay(c *transport, remote []int, piece int64) (remoteWay, error) {
	if c.beyond == NCCLTransport {
		return newCollectives(c, remote)
	}
	direct := int64(0)
	if c.beyond == MPITransport && comm.CUDAAware() {
		direct = 1
	}
	direct, err := comm.Reduce(c.host, direct, comm.Min) // ranks of two installations may differ
	if err != nil {
		return nil, err
	}
	if direct == 1 {
		return newFromDevice(c.host, remote), nil
	}
	s, err := newStaging(c.host, c.device, remote, piece)
	if agreed := comm.Agree(c.host, err); agreed != nil {
		if err == nil {
			agreed = errors.Join(agreed, s.close())
		}
		return nil, agreed
	}
	return s, nil
}

// tryRemote has every rank send two words to all others, as parts and as messages, and looks whether they come: what a
// library says of itself is not always so, and a fault is better met here than in a graph. It is collective.
func (c *transport) tryRemote() error {
	const part = 2 * 8
	n, me := c.host.Size(), c.host.Rank()
	w, err := c.Open("trial of the transport", int64(n)*2*part)
	if err != nil {
		return err
	}
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
	if err := comm.Agree(c.host, c.checkTrial(w, part/8)); err != nil {
		return err
	}
	if err := c.AllGather(w, 2*part); err != nil {
		return err
	}
	c.traffic[0], c.traffic[1] = Traffic{Transport: c.traffic[0].Transport}, Traffic{Transport: c.traffic[1].Transport}
	return comm.Agree(c.host, errors.Join(c.checkTrial(w, 0), w.Close()))
}

// checkTrial looks at each rank's part in the trial, from one of its words on.
func (c *transport) checkTrial(w *Window, from int) error {
	words := make([]uint64, 4*c.host.Size())
	if err := cuda.Read(words, w.Memory, 0); err != nil {
		return err
	}
	for i, word := range words {
		if want := probeWord(i / 4); i%4 >= from && word != want {
			return fmt.Errorf("gpu: %#x comes from rank %d in place of %#x (%s): try --gpu-transport %s",
				word, i/4, want, c.away, StagedTransport)
		}
	}
	return nil
}
