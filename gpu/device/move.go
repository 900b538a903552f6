//go:build cuda && cgo

package device

import (
	"fmt"
	"slices"

	"g500/comm"
	"g500/cuda"
)

// transfer is what goes between this rank and another one, or stays on this one.
type transfer struct {
	send  cuda.Memory // goes to the rank
	there cuda.Memory // where it goes, if the rank is a peer or this one
	here  cuda.Memory // where comes what the rank sends
}

func (c *transport) AllGather(w *Window, part int64) error { return c.AllGatherSlice(w, part, 0, part) }

func (c *transport) AllGatherSlice(w *Window, part, from, bytes int64) error {
	n := c.host.Size()
	if part < 0 || part%16 != 0 || int64(n)*part > w.Bytes() {
		return fmt.Errorf("gpu: AllGather of %d parts of %d bytes, which must be multiples of 16, in a window of %d",
			n, part, w.Bytes())
	}
	if from < 0 || bytes < 0 || from%16 != 0 || bytes%16 != 0 || from+bytes > part {
		return fmt.Errorf("gpu: AllGather of bytes %d to %d of parts of %d; both must be multiples of 16",
			from, from+bytes, part)
	}
	if n == 1 {
		return nil
	}
	if err := c.Barrier(); err != nil {
		return err
	}
	all := make([]transfer, n)
	mine := int64(c.host.Rank())*part + from
	for r, route := range c.routes {
		if route == itself {
			continue // this rank's part is in place
		}
		all[r].send, all[r].here = w.Part(mine, bytes), w.Part(int64(r)*part+from, bytes)
		if route.peer() {
			all[r].there = w.Peers[r].Part(mine, bytes)
		}
	}
	if x, can := c.away.(gatherer); can && bytes == part && !c.peers {
		for r := range all {
			c.countTraffic(c.routes[r], all[r])
		}
		return x.gather(w.Part(0, int64(n)*part))
	}
	return c.move(all, bytes)
}

func (c *transport) AllToAll(send cuda.Memory, counts []int64, into *Window) ([]int64, error) {
	if err := c.checkCounts(send, counts); err != nil {
		return nil, err
	}
	if len(counts) == 1 {
		return slices.Clone(counts), c.keep(send, counts[0], into)
	}
	if err := c.device.Synchronize(); err != nil {
		return nil, err
	}
	n, me := c.host.Size(), c.host.Rank()
	for r, count := range counts {
		c.counts[me*n+r] = uint64(count)
	}
	if err := c.host.AllGather(c.counts); err != nil { // which is a barrier, too
		return nil, err
	}
	if err := c.release(); err != nil {
		return nil, err
	}
	if err := c.checkRoom(into.Bytes()); err != nil {
		return nil, err
	}
	received, longest := make([]int64, n), int64(0)
	for r := range received {
		received[r] = c.count(r, me)
	}
	for _, count := range c.counts {
		longest = max(longest, int64(count))
	}
	return received, c.move(c.transfers(send, counts, into), longest)
}

// transfers lays out the AllToAll under way.
func (c *transport) transfers(send cuda.Memory, counts []int64, into *Window) []transfer {
	me, all := c.host.Rank(), make([]transfer, len(counts))
	sent, received := int64(0), int64(0) // bytes to and from the ranks below
	for r, count := range counts {
		all[r].send, all[r].here = send.Part(sent, count), into.Part(received, c.count(r, me))
		sent, received = sent+count, received+c.count(r, me)
		switch at := c.before(me, r); {
		case r == me:
			all[r].there = into.Part(at, count)
		case c.Peer(r):
			all[r].there = into.Peers[r].Part(at, count)
		}
	}
	return all
}

// keep is AllToAll on one rank.
func (c *transport) keep(send cuda.Memory, bytes int64, into *Window) error {
	c.counts[0] = uint64(bytes)
	if err := c.checkRoom(into.Bytes()); err != nil {
		return err
	}
	if err := c.device.Copy(into.Part(0, bytes), send.Part(0, bytes)); err != nil {
		return err
	}
	return c.device.Synchronize()
}

// count is the number of bytes that rank from sends to rank to in the AllToAll under way.
func (c *transport) count(from, to int) int64 { return int64(c.counts[from*c.host.Size()+to]) }

// before is the number of bytes that the ranks below one send to rank to: where the message of that one begins.
func (c *transport) before(rank, to int) (bytes int64) {
	for from := range rank {
		bytes += c.count(from, to)
	}
	return bytes
}

func (c *transport) checkCounts(send cuda.Memory, counts []int64) error {
	if len(counts) != c.host.Size() {
		return fmt.Errorf("gpu: AllToAll with %d counts for %d ranks", len(counts), c.host.Size())
	}
	sum := int64(0)
	for r, count := range counts {
		if count < 0 || count%8 != 0 {
			return fmt.Errorf("gpu: AllToAll of %d bytes to rank %d, which must be a multiple of 8", count, r)
		}
		sum += count
	}
	if sum > send.Bytes() {
		return fmt.Errorf("gpu: AllToAll of %d bytes out of %d", sum, send.Bytes())
	}
	return nil
}

// checkRoom finds the same fault on every rank.
func (c *transport) checkRoom(window int64) error {
	n := c.host.Size()
	for to := range n {
		if bytes := c.before(n, to); bytes > window {
			err := fmt.Errorf("gpu: AllToAll brings %d bytes to a window of %d", bytes, window)
			return &comm.RankError{Rank: to, Err: err}
		}
	}
	return nil
}

// move makes all transfers, from and to all ranks at once. longest is at least the longest message between any two
// ranks of the job, on all ranks the same.
func (c *transport) move(all []transfer, longest int64) error {
	for i := range all {
		r := (c.host.Rank() + i) % len(all) // not all to the same rank at once
		c.countTraffic(c.routes[r], all[r])
		if c.routes[r] == remoteRank {
			continue
		}
		if err := c.lanes[r].Copy(all[r].there, all[r].send); err != nil {
			return err
		}
	}
	if c.away != nil {
		if err := c.away.move(all, longest); err != nil {
			return err
		}
	}
	for _, lane := range c.lanes {
		if lane == nil {
			continue
		}
		if err := lane.Wait(); err != nil {
			return err
		}
	}
	if !c.peers {
		return nil
	}
	return c.host.Barrier() // what peers send has arrived when they come here
}

// countTraffic counts what a transfer moves.
func (c *transport) countTraffic(way route, moved transfer) {
	if way == itself {
		return
	}
	t := &c.traffic[0]
	if way == remoteRank {
		t = &c.traffic[1]
	}
	t.Sent += moved.send.Bytes()
	t.Received += moved.here.Bytes()
}
