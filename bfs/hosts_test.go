package bfs_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/kronecker"
)

// hostsOf puts so many ranks on each host, the last one may have fewer.
func hostsOf(ranks, each int) []int {
	hosts := make([]int, ranks)
	for r := range hosts {
		hosts[r] = r / each
	}
	return hosts
}

// onHosts launches ranks that are said to be on hosts of so many ranks.
func onHosts(each int) bfstest.Launch {
	return func(n int, fn func(comm.Transport) error) error {
		return comm.Loopback(n, func(t comm.Transport) error { return fn(comm.OnHosts(t, hostsOf(n, each))) })
	}
}

// tiersAlways has graphs of any size go in tiers until the test is over.
func tiersAlways(t *testing.T) {
	was := *bfs.TiersFrom
	*bfs.TiersFrom = 0
	t.Cleanup(func() { *bfs.TiersFrom = was })
}

func TestHybridOnSeveralHosts(t *testing.T) {
	tiersAlways(t)
	sizes := []int{1, 2, 3}
	if testing.Short() {
		sizes = sizes[1:2]
	}
	for _, each := range sizes {
		bfstest.Run(t, bfs.NewHybrid(2), onHosts(each), 4)
		bfstest.Run(t, bfs.NewHybridOf[csr.Pos64](2), onHosts(each), 4)
	}
}

// crossing counts the bytes that go to ranks on other hosts, which it knows: in bitmaps, and in messages.
type crossing struct {
	comm.Transport
	hosts             []int
	bitmaps, messages *atomic.Int64
}

func (t *crossing) AllGather(words []uint64) error {
	for _, host := range t.hosts {
		if host != t.hosts[t.Rank()] {
			t.bitmaps.Add(int64(8 * len(words) / t.Size()))
		}
	}
	return t.Transport.AllGather(words)
}

func (t *crossing) AllToAll(send [][]byte) ([][]byte, error) {
	for r, message := range send {
		if t.hosts[r] != t.hosts[t.Rank()] {
			t.messages.Add(int64(len(message)))
		}
	}
	return t.Transport.AllToAll(send)
}

// crossed is what crosses between hosts in searches of an official graph, in bytes, by ranks on hosts of so many. They
// know their hosts, or take all for one.
func crossed(t *testing.T, scale, ranks, each int, known bool) (bitmaps, messages int64) {
	var inBitmaps, inMessages atomic.Int64
	p := kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	err := comm.Loopback(ranks, func(tr comm.Transport) error {
		hosts := hostsOf(ranks, each)
		if known {
			tr = comm.OnHosts(tr, hosts)
		}
		counted := &crossing{tr, hosts, new(atomic.Int64), new(atomic.Int64)} // kernel 1 is not counted
		lo, hi := p.Edges()*int64(tr.Rank())/int64(ranks), p.Edges()*int64(tr.Rank()+1)/int64(ranks)
		tuples := make(graph.HostTuples, hi-lo)
		p.Fill(lo, tuples)
		e, err := bfs.NewHybrid(1)(counted, tuples)
		if err != nil {
			return err
		}
		counted.bitmaps, counted.messages = &inBitmaps, &inMessages
		for i := range int64(4) {
			if _, err := e.BFS(p.KeyCandidate(i) % e.Layout().Vertices()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return inBitmaps.Load(), inMessages.Load()
}

// Ranks that know their hosts send a quarter of the bytes to other hosts at most.
func TestBytesBetweenHosts(t *testing.T) {
	tiersAlways(t)
	scale, ranks, each := 18, 64, 8
	if testing.Short() {
		scale, ranks, each = 15, 64, 8
	}
	flatBitmaps, flatMessages := crossed(t, scale, ranks, each, false)
	bitmaps, messages := crossed(t, scale, ranks, each, true)
	told := fmt.Sprintf("bytes to other hosts: %d of bitmaps and %d of messages, without tiers %d and %d",
		bitmaps, messages, flatBitmaps, flatMessages)
	t.Log(told)
	if bitmaps != 0 || 4*messages > flatBitmaps+flatMessages {
		t.Error(told)
	}
}

// formed counts messages by the form that the engine says they carry.
type formed struct {
	comm.Transport
	form          string
	bitmaps, bins *atomic.Int64
}

func (t *formed) CarryForm(form string) { t.form = form }

func (t *formed) AllToAll(send [][]byte) ([][]byte, error) {
	count := t.bins
	if t.form == bfs.BitmapForm {
		count = t.bitmaps
	}
	for _, message := range send {
		count.Add(int64(len(message)))
	}
	return t.Transport.AllToAll(send)
}

// What goes in tiers is said to be the bitmap, and what goes otherwise is not.
func TestTiersSayThatTheyCarryBitmaps(t *testing.T) {
	tiersAlways(t)
	for _, each := range []int{2, 4} { // on two hosts, on one
		var bitmaps, bins atomic.Int64
		p := kronecker.Params{Scale: 10, EdgeFactor: 16, Seed1: 2, Seed2: 3}
		err := comm.Loopback(4, func(tr comm.Transport) error {
			tuples := make(graph.HostTuples, p.Edges()/4)
			p.Fill(p.Edges()/4*int64(tr.Rank()), tuples)
			e, err := bfs.NewHybrid(1)(&formed{comm.OnHosts(tr, hostsOf(4, each)), "", &bitmaps, &bins}, tuples)
			if err != nil {
				return err
			}
			if err := tr.Barrier(); err != nil {
				return err
			}
			bins.Store(0) // kernel 1 is not counted
			if err := tr.Barrier(); err != nil {
				return err
			}
			_, err = e.BFS(p.KeyCandidate(0) % e.Layout().Vertices())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if inTiers := bitmaps.Load() > 0; inTiers != (each == 2) || bins.Load() == 0 {
			t.Errorf("%d ranks a host: %d bytes of bitmaps in messages, %d of bins", each, bitmaps.Load(), bins.Load())
		}
	}
}
