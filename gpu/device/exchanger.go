//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"

	"g500/comm"
	"g500/cuda"
)

// Exchanger puts exchanges between all ranks, peers or not, on the device's stream, in order with its kernels. Its
// methods return when the exchange is on the stream or, by MPI, when only copies on the stream remain. All ranks make
// the same calls. It is a cuda.Exchanges.
type Exchanger interface {
	cuda.Exchanges
	// Wait waits for the end of the device's work, with a time limit for that many bytes of exchanges.
	Wait(bytes int64) error
	// Transport returns the name of the transport, as in Traffic.
	Transport() string
	// close frees everything after all exchanges have ended.
	close() error
}

func (c *transport) Exchanges() (Exchanger, error) {
	if c.exchanges != nil {
		return c.exchanges, nil
	}
	x, err := c.newExchanger()
	if err != nil {
		return nil, err
	}
	if err := tryExchanger(c, x); err != nil {
		return nil, errors.Join(err, x.close())
	}
	if by, is := x.(*collectives); is {
		by.comm.Opened()
	}
	c.exchanges = x
	return x, nil
}

func (c *transport) newExchanger() (Exchanger, error) {
	if x, is := c.remote.(*collectives); is {
		return x, nil
	}
	x := &moved{c: c, remote: c.remote, all: make([]transfer, len(c.routes))}
	if !c.peers {
		return x, nil
	}
	var others []int
	for r, route := range c.routes {
		if route != itself {
			others = append(others, r)
		}
	}
	remote, err := c.newRemote(c.traffic[1].Transport, others, StagingBytes/int64(len(others)))
	if err != nil {
		return nil, err
	}
	if x, is := remote.(*collectives); is { // its moves leave out peers
		return x, nil
	}
	x.remote, x.owned = remote, true
	return x, nil
}

// tryExchanger exchanges words of every rank with all others, few at first and then many, because libraries choose
// other ways for other lengths and open connections when these are first used. It is collective.
func tryExchanger(t Transport, x Exchanger) error {
	n, me := t.Host().Size(), t.Host().Rank()
	most := max(16<<20/int64(n)&^15, 32<<10) // bytes from each rank
	own, err := t.Device().Alloc("trial of exchanges", int64(n)*most)
	if err == nil {
		defer own.Free()
	}
	all, more := t.Device().Alloc("trial of exchanges", int64(n)*most)
	if err := comm.Agree(t.Host(), errors.Join(err, more)); err != nil {
		return err
	}
	defer all.Free()
	for _, bytes := range []int64{16 << 10, most} {
		words := make([]uint64, int64(n)*bytes/8)
		for i := range words {
			words[i] = trialWord(me, i)
		}
		fault := cuda.Write(own.Memory, 0, words)
		if fault == nil {
			fault = x.AllGatherOn(own.Part(0, bytes), all.Part(0, int64(n)*bytes))
		}
		if fault == nil {
			fault = x.Wait(int64(n) * bytes)
		}
		if fault == nil {
			fault = checkWords(all.Memory, n, bytes, func(r, i int) uint64 { return trialWord(r, i) })
		}
		lengths := make([]int64, n)
		for r := range lengths {
			if r != me {
				lengths[r] = bytes
			}
		}
		if fault == nil {
			fault = x.AllToAllOn(cuda.Messages{
				Send: own.Part(0, int64(n)*bytes), Into: all.Part(0, int64(n)*bytes), Place: bytes, Sent: lengths,
				Received: lengths, Longest: bytes,
			})
		}
		if fault == nil {
			fault = x.Wait(2 * int64(n) * bytes)
		}
		if fault == nil {
			fault = checkWords(all.Memory, n, bytes, func(r, i int) uint64 {
				if r == me {
					return trialWord(r, i)
				}
				return trialWord(r, me*int(bytes/8)+i)
			})
		}
		if fault != nil {
			x.Abort(fault) // other ranks may wait for this one
		}
		if err := comm.Agree(t.Host(), fault); err != nil {
			return err
		}
	}
	return nil
}

func trialWord(rank, i int) uint64 { return uint64(rank+1)<<40 | uint64(i) }

// checkWords compares that many bytes from each rank with the words that they should have.
func checkWords(m cuda.Memory, ranks int, bytes int64, want func(r, i int) uint64) error {
	got := make([]uint64, bytes/8)
	for r := range ranks {
		if err := cuda.Read(got, m, int64(r)*bytes/8); err != nil {
			return err
		}
		for i, word := range got {
			if word != want(r, i) {
				return fmt.Errorf("gpu: a trial of exchanges brings %#x from rank %d in place of %#x: try --gpu-transport %s",
					word, r, want(r, i), StagedTransport)
			}
		}
	}
	return nil
}

// moved exchanges by a remoteTransport.
type moved struct {
	c      *transport
	remote remoteTransport
	owned  bool // Close closes remote
	all    []transfer
}

func (x *moved) AllGatherOn(own, all cuda.Memory) error {
	me := x.c.host.Rank()
	for r := range x.all {
		x.all[r] = transfer{send: own, receive: all.Part(int64(r)*own.Bytes(), own.Bytes())}
	}
	if own != x.all[me].receive {
		if err := x.c.device.Copy(x.all[me].receive, own); err != nil {
			return err
		}
	}
	return x.move(own.Bytes())
}

func (x *moved) AllToAllOn(m cuda.Messages) error {
	for r := range x.all {
		at := int64(r) * m.Place
		x.all[r] = transfer{send: m.Send.Part(at, m.Sent[r]), receive: m.Into.Part(at, m.Received[r])}
	}
	return x.move(m.Longest)
}

func (x *moved) move(longest int64) error {
	for r, route := range x.c.routes {
		if route != itself {
			x.c.countTraffic(remoteRank, x.all[r])
		}
	}
	return x.remote.move(x.all, longest)
}

// Check and Abort have nothing to do: only copies to the device remain when an exchange returns, and MPI ends the job
// if a rank dies.
func (x *moved) Check() error     { return nil }
func (x *moved) Wait(int64) error { return x.c.device.Synchronize() }
func (x *moved) Abort(error)      {}

func (x *moved) Transport() string { return x.c.traffic[1].Transport }

func (x *moved) close() error {
	if !x.owned {
		return nil
	}
	return x.remote.close()
}
