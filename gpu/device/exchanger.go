// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package device

import (
	"errors"
	"fmt"
	"slices"

	"g500/comm"
	"g500/cuda"
	"g500/internal/lists"
)

// Exchanger puts exchanges between all ranks, peers or not, on the device's stream, in order with its kernels. Its
// methods return when the exchange is on the stream or, by MPI, when only copies on the stream remain. All ranks make
// the same calls. It is a cuda.Exchanges.
type Exchanger struct {
	remoteTransport
	c     *transport
	owned bool // close closes remoteTransport
	all   []transfer
}

func (c *transport) Exchanges() (*Exchanger, error) {
	if c.exchanges != nil {
		return c.exchanges, nil
	}
	x, err := c.newExchanges()
	if err != nil {
		return nil, err
	}
	if err := tryExchanger(c, x); err != nil {
		return nil, errors.Join(err, x.close())
	}
	if by, is := x.remoteTransport.(*collectives); is {
		by.Opened()
	}
	c.exchanges = x
	return x, nil
}

// newExchanges opens exchanges with all other ranks, by the transport to remote ranks if it can reach the others.
func (c *transport) newExchanges() (*Exchanger, error) {
	x := &Exchanger{remoteTransport: c.remote, c: c, all: make([]transfer, len(c.routes))}
	if c.remote != nil && !c.peers {
		return x, nil
	}
	if by, is := c.remote.(*collectives); is {
		toAll := *by
		toAll.with, toAll.messages = slices.Repeat([]bool{true}, len(c.routes)), nil
		x.remoteTransport = &toAll
		return x, nil
	}
	others := lists.Indices(c.routes, func(r route) bool { return r != itself })
	var err error
	x.remoteTransport, err = c.newRemote(c.between, others, c.staging/int64(len(others)))
	x.owned = true
	return x, err
}

// tryExchanger exchanges words of every rank with all others, few at first and then many, because libraries choose
// other ways for other lengths and open connections when these are first used. It is collective.
func tryExchanger(t Transport, x *Exchanger) error {
	n := int64(t.Host().Size())
	most := max(16<<20/n&^15, 32<<10) // bytes from each rank
	own, err := t.Device().Alloc("trial of exchanges", n*most)
	all, more := t.Device().Alloc("trial of exchanges", n*most)
	defer func() { _ = cuda.Free(own, all) }()
	if err := comm.Agree(t.Host(), errors.Join(err, more)); err != nil {
		return err
	}
	for _, bytes := range []int64{16 << 10, most} {
		fault := tryExchanges(t, x, own.Part(0, n*bytes), all.Part(0, n*bytes))
		if fault != nil {
			x.Abort(fault) // other ranks may wait for this one
		}
		if err := comm.Agree(t.Host(), fault); err != nil {
			return err
		}
	}
	return nil
}

// tryExchanges makes one exchange of each kind, in memory with equal parts for all ranks.
func tryExchanges(t Transport, x *Exchanger, own, all cuda.Memory) error {
	n, me := t.Host().Size(), t.Host().Rank()
	bytes := own.Bytes() / int64(n)
	words, lengths := make([]uint64, own.Bytes()/8), slices.Repeat([]int64{bytes}, n)
	for i := range words {
		words[i] = trialWord(me, i)
	}
	err := cuda.Write(own, 0, words)
	if err == nil {
		err = x.AllGatherOn(own.Part(0, bytes), all)
	}
	if err == nil {
		err = x.Wait(all.Bytes())
	}
	if err == nil {
		err = checkWords(all, n, bytes, trialWord)
	}
	if err != nil {
		return err
	}
	lengths[me] = 0
	err = x.AllToAllOn(cuda.Messages{
		Send: own, Into: all, Place: bytes, Sent: lengths, Received: lengths, Longest: bytes,
	})
	if err == nil {
		err = x.Wait(2 * all.Bytes())
	}
	if err != nil {
		return err
	}
	return checkWords(all, n, bytes, func(r, i int) uint64 {
		if r == me {
			return trialWord(r, i)
		}
		return trialWord(r, me*int(bytes/8)+i)
	})
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

// AllGatherOn is the one of cuda.Exchanges.
func (x *Exchanger) AllGatherOn(own, all cuda.Memory) error {
	for r := range x.all {
		x.all[r] = transfer{send: own, receive: all.Part(int64(r)*own.Bytes(), own.Bytes())}
	}
	if by, can := x.remoteTransport.(*collectives); can {
		return by.gather(own, all)
	}
	if mine := x.all[x.c.host.Rank()].receive; own != mine {
		if err := x.c.device.Copy(mine, own); err != nil {
			return err
		}
	}
	return x.put(x.all, own.Bytes())
}

// AllToAllOn is the one of cuda.Exchanges.
func (x *Exchanger) AllToAllOn(m cuda.Messages) error {
	for r := range x.all {
		at := int64(r) * m.Place
		x.all[r] = transfer{send: m.Send.Part(at, m.Sent[r]), receive: m.Into.Part(at, m.Received[r])}
	}
	return x.put(x.all, m.Longest)
}

// Transport returns the name of the transport.
func (x *Exchanger) Transport() string { return x.c.between }

// close frees everything after all exchanges have ended.
func (x *Exchanger) close() error {
	if !x.owned {
		return nil
	}
	return x.remoteTransport.close()
}
