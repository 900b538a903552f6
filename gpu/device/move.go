// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"slices"

	"g500/comm"
	"g500/cuda"
)

// transfer is the data between this rank and another rank, or on this rank.
type transfer struct {
	send    cuda.Memory // data for the rank
	into    cuda.Memory // its destination, if the rank is a peer or this rank
	receive cuda.Memory // destination of data from the rank
}

func (c *transport) AllGather(w *Window, part int64) error { return c.AllGatherFront(w, part, part) }

func (c *transport) AllGatherFront(w *Window, part, bytes int64) error {
	n := c.host.Size()
	if n == 1 {
		return nil
	}
	if err := c.Barrier(); err != nil {
		return err
	}
	all := make([]transfer, n)
	mine := int64(c.host.Rank()) * part
	for r, route := range c.routes {
		if route == itself {
			continue
		}
		all[r].send, all[r].receive = w.Part(mine, bytes), w.Part(int64(r)*part, bytes)
		if route.peer() {
			all[r].into = w.Peers[r].Part(mine, bytes)
		}
	}
	if x, can := c.remote.(*collectives); can && bytes == part && !c.peers {
		if err := x.gather(w.Part(mine, part), w.Part(0, int64(n)*part)); err != nil {
			return err
		}
		return c.remote.Wait(int64(n) * part)
	}
	return c.move(all, bytes)
}

func (c *transport) AllToAll(send cuda.Memory, counts []int64, into *Window) ([]int64, error) {
	if err := c.device.Synchronize(); err != nil {
		return nil, err
	}
	received, err := comm.SwapWords(c.host, counts)
	if err != nil {
		return nil, err
	}
	if err := c.release(); err != nil {
		return nil, err
	}
	places := make([]int64, len(received)) // of messages in this rank's window
	for r := range received[1:] {
		places[r+1] = places[r] + received[r]
	}
	last := len(received) - 1
	excess := places[last] + received[last] - into.Bytes()
	at, longest, err := c.agreeOnLengths(slices.Max(counts), excess, places)
	if err != nil {
		return nil, err
	}
	all, sent := make([]transfer, len(counts)), int64(0)
	for r, count := range counts {
		all[r].send, all[r].receive = send.Part(sent, count), into.Part(places[r], received[r])
		sent += count
		switch {
		case r == c.host.Rank():
			all[r].into = all[r].receive
		case c.Peer(r):
			all[r].into = into.Peers[r].Part(at[r], count)
		}
	}
	return received, c.move(all, longest)
}

// agreeOnLengths returns the longest message between any two ranks, and the places of this rank's messages in the
// windows of others if some ranks are peers. longest is the longest of this rank's messages, excess the number of bytes
// by which those to this rank exceed its window, places theirs there.
func (c *transport) agreeOnLengths(longest, excess int64, places []int64) (at []int64, most int64, err error) {
	if !c.peers {
		both := []int64{longest, excess}
		if err = c.host.AllReduce(both, comm.Max); err == nil && both[1] > 0 {
			err = ErrTooLong
		}
		return nil, both[0], err
	}
	words := make([]int64, 0, 3*len(places))
	for _, place := range places {
		words = append(words, place, longest, excess)
	}
	words, err = comm.SwapWords(c.host, words)
	for ; len(words) > 0 && err == nil; words = words[3:] {
		at, most = append(at, words[0]), max(most, words[1])
		if words[2] > 0 {
			err = ErrTooLong
		}
	}
	return at, most, err
}

// move makes all transfers at once. longest is an upper bound of the messages between any two ranks of the job, the
// same on all ranks.
func (c *transport) move(all []transfer, longest int64) error {
	bytes := int64(0) // with remote ranks
	for i := range all {
		r := (c.host.Rank() + i) % len(all) // ranks start with different destinations
		if c.routes[r] == remoteRank {
			bytes += all[r].send.Bytes() + all[r].receive.Bytes()
			continue
		}
		if err := c.copies[r].Copy(all[r].into, all[r].send); err != nil {
			return err
		}
	}
	if c.remote != nil {
		if err := c.remote.put(all, longest); err != nil {
			return err // without a wait for the device, whose exchange may never end
		}
		if err := c.remote.Wait(bytes); err != nil {
			return err
		}
	}
	for _, copies := range c.copies {
		if copies == nil {
			continue
		}
		if err := copies.Wait(); err != nil {
			return err
		}
	}
	if !c.peers {
		return nil
	}
	return c.host.Barrier() // afterwards the data of peers has arrived
}
