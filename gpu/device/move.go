//go:build cuda && cgo

package device

import (
	"fmt"
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
			continue
		}
		all[r].send, all[r].receive = w.Part(mine, bytes), w.Part(int64(r)*part+from, bytes)
		if route.peer() {
			all[r].into = w.Peers[r].Part(mine, bytes)
		}
	}
	if x, can := c.remote.(gatherer); can && bytes == part && !c.peers {
		for r := range all {
			c.countTraffic(c.routes[r], all[r])
		}
		if err := x.gather(w.Part(mine, part), w.Part(0, int64(n)*part)); err != nil {
			return err
		}
		return c.remote.Wait(int64(n) * part)
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
	if err := c.host.AllGather(c.counts); err != nil { // also a barrier
		return nil, err
	}
	if err := c.release(); err != nil {
		return nil, err
	}
	if err := c.checkFits(into.Bytes()); err != nil {
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

// transfers returns the transfers of an AllToAll with these counts.
func (c *transport) transfers(send cuda.Memory, counts []int64, into *Window) []transfer {
	me, all := c.host.Rank(), make([]transfer, len(counts))
	sent, received := int64(0), int64(0) // bytes to and from lower ranks
	for r, count := range counts {
		all[r].send, all[r].receive = send.Part(sent, count), into.Part(received, c.count(r, me))
		sent, received = sent+count, received+c.count(r, me)
		switch at := c.before(me, r); {
		case r == me:
			all[r].into = into.Part(at, count)
		case c.Peer(r):
			all[r].into = into.Peers[r].Part(at, count)
		}
	}
	return all
}

// keep is AllToAll on one rank.
func (c *transport) keep(send cuda.Memory, bytes int64, into *Window) error {
	c.counts[0] = uint64(bytes)
	if err := c.checkFits(into.Bytes()); err != nil {
		return err
	}
	if err := c.device.Copy(into.Part(0, bytes), send.Part(0, bytes)); err != nil {
		return err
	}
	return c.device.Synchronize()
}

// count returns the bytes that rank from sends to rank to in AllToAll.
func (c *transport) count(from, to int) int64 { return int64(c.counts[from*c.host.Size()+to]) }

// before returns the bytes that ranks below rank send to rank to: the offset of rank's message.
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

// checkFits returns the same error on all ranks if messages do not fit into the window of one.
func (c *transport) checkFits(window int64) error {
	n := c.host.Size()
	for to := range n {
		if bytes := c.before(n, to); bytes > window {
			err := fmt.Errorf("gpu: AllToAll brings %d bytes to a window of %d", bytes, window)
			return &comm.RankError{Rank: to, Err: err}
		}
	}
	return nil
}

// move makes all transfers at once. longest is an upper bound of the messages between any two ranks of the job, the
// same on all ranks.
func (c *transport) move(all []transfer, longest int64) error {
	bytes := int64(0) // with remote ranks
	for i := range all {
		r := (c.host.Rank() + i) % len(all) // ranks start with different destinations
		c.countTraffic(c.routes[r], all[r])
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

// countTraffic adds a transfer to the traffic, unless it stays on this rank.
func (c *transport) countTraffic(on route, moved transfer) {
	if on == itself {
		return
	}
	t := &c.traffic[0]
	if on == remoteRank {
		t = &c.traffic[1]
	}
	t.Sent += moved.send.Bytes()
	t.Received += moved.receive.Bytes()
}
