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
	"g500/internal/trace"
	"g500/kronecker"
)

// hostsOf puts each ranks on each host; the last host may have fewer.
func hostsOf(ranks, each int) []int {
	hosts := make([]int, ranks)
	for r := range hosts {
		hosts[r] = r / each
	}
	return hosts
}

// onHosts launches ranks on emulated hosts of each ranks.
func onHosts(each int) bfstest.Launch {
	return func(n int, fn func(comm.Transport) error) error {
		return comm.Loopback(n, func(t comm.Transport) error { return fn(comm.EmulateNodes(t, hostsOf(n, each))) })
	}
}

// tiersAlways lets exchanges of graphs of any size use tiers until the test is over, with queries or without.
func tiersAlways(t *testing.T, query bool) {
	b := *bfs.InForce
	b.TiersFrom = 0
	if query {
		b.QueriesFrom = 0
	}
	withBounds(t, b)
}

// withBounds has other bounds in force until the test is over.
func withBounds(t *testing.T, b bfs.Bounds) {
	was := *bfs.InForce
	*bfs.InForce = b
	t.Cleanup(func() { *bfs.InForce = was })
}

// replicatingNone lets ranks replicate no bits until the test is over, so that small graphs need queries, too.
func replicatingNone(t *testing.T) {
	b := *bfs.InForce
	b.LeastReplicated = 0
	withBounds(t, b)
}

// inManyRounds has ranks exchange a word of their parts and a few pairs at a time, until the test is over.
func inManyRounds(t *testing.T) {
	b := *bfs.InForce
	b.GatherRoom, b.PushRoom = 0, 20
	withBounds(t, b)
}

// Large exchanges, which are divided into rounds, give the same trees.
func TestHybridInRounds(t *testing.T) {
	tiersAlways(t, true)
	replicatingNone(t)
	inManyRounds(t)
	bfstest.Run(t, bfs.NewHybrid(2), onHosts(2), 4)
	if !testing.Short() {
		bfstest.Run(t, bfs.NewHybrid(2), comm.Loopback, 3)
	}
}

func TestHybridOnSeveralHosts(t *testing.T) {
	for _, query := range []bool{true, false} {
		t.Run(fmt.Sprintf("query=%v", query), func(t *testing.T) {
			tiersAlways(t, query)
			replicatingNone(t)
			sizes := []int{1, 2, 3}
			if testing.Short() || !query {
				sizes = sizes[1:2]
			}
			for _, each := range sizes {
				bfstest.Run(t, bfs.NewHybrid(2), onHosts(each), 4)
			}
			if query {
				bfstest.Run(t, bfs.NewHybridOf[csr.Pos64](2), onHosts(2), 4)
			}
		})
	}
}

// crossed counts traffic between hosts: bytes of all-gathered bitmaps and of messages, and the number of messages.
type crossed struct{ bitmaps, bytes, messages atomic.Int64 }

func (c *crossed) String() string {
	return fmt.Sprintf("%d bytes of bitmaps, %d messages of %d bytes", c.bitmaps.Load(), c.messages.Load(), c.bytes.Load())
}

// crossing counts the bytes sent to ranks on other hosts.
type crossing struct {
	comm.Transport
	hosts []int
	*crossed
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
	t.note(send)
	return t.Transport.AllToAll(send)
}

func (t *crossing) NeighbourAllToAll(send [][]byte, n comm.Neighbours) ([][]byte, error) {
	t.note(send)
	return t.Transport.NeighbourAllToAll(send, n)
}

func (t *crossing) note(send [][]byte) {
	for r, message := range send {
		if t.hosts[r] != t.hosts[t.Rank()] && len(message) > 0 {
			t.bytes.Add(int64(len(message)))
			t.messages.Add(1)
		}
	}
}

// searchAcross has three searches of an official graph cross from host to host, with `each` ranks per host. The ranks
// know their hosts, or take all for one.
func searchAcross(t *testing.T, scale, ranks, each int, known bool) *crossed {
	t.Helper()
	var sum crossed
	p := kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	err := comm.Loopback(ranks, func(tr comm.Transport) error {
		hosts := hostsOf(ranks, each)
		if known {
			tr = comm.EmulateNodes(tr, hosts)
		}
		counted := &crossing{tr, hosts, new(crossed)} // kernel 1 is not counted
		lo, hi := p.Edges()*int64(tr.Rank())/int64(ranks), p.Edges()*int64(tr.Rank()+1)/int64(ranks)
		tuples := make(graph.HostTuples, hi-lo)
		p.Fill(lo, tuples)
		e, err := bfs.NewHybrid(1)(counted, tuples)
		if err != nil {
			return err
		}
		counted.crossed = &sum
		for i := range int64(3) {
			if _, err := e.Search(p.KeyCandidate(i) % e.Layout().Vertices()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return &sum
}

// If ranks are assigned to hosts, at most 1/8 of the bytes cross between hosts, and 3/4 of that with queries.
func TestBytesBetweenHosts(t *testing.T) {
	var bytes []int64
	for _, way := range []struct{ known, query bool }{{false, false}, {true, false}, {true, true}} {
		tiersAlways(t, way.query)
		c := searchAcross(t, 15, 64, 8, way.known)
		t.Logf("to other hosts: %v; known %v, query %v", c, way.known, way.query)
		bytes = append(bytes, c.bitmaps.Load()+c.bytes.Load())
	}
	if 8*bytes[1] > bytes[0] || 4*bytes[2] > 3*bytes[1] {
		t.Errorf("bytes to other hosts: %d, with tiers %d, with queries %d", bytes[0], bytes[1], bytes[2])
	}
}

// What goes from host to host because messages from rank to rank would be short, as pairs do, takes a fraction of the
// messages, and a tenth more bytes at most.
func TestMessagesBetweenHosts(t *testing.T) {
	tiersAlways(t, true)
	together := searchAcross(t, 15, 16, 4, true)
	apartAlways := *bfs.InForce
	apartAlways.PairsInTiers = 0
	withBounds(t, apartAlways)
	apart := searchAcross(t, 15, 16, 4, true)
	summary := fmt.Sprintf("to other hosts: %v, from rank to rank %v", together, apart)
	t.Log(summary)
	if 3*together.messages.Load() > 2*apart.messages.Load() || 10*together.bytes.Load() > 11*apart.bytes.Load() {
		t.Error(summary)
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
	t.note(send)
	return t.Transport.AllToAll(send)
}

func (t *formed) NeighbourAllToAll(send [][]byte, n comm.Neighbours) ([][]byte, error) {
	t.note(send)
	return t.Transport.NeighbourAllToAll(send, n)
}

func (t *formed) note(send [][]byte) {
	count := t.bins
	if t.form == trace.BitmapPayload {
		count = t.bitmaps
	}
	for _, message := range send {
		count.Add(int64(len(message)))
	}
}

// Messages in tiers are counted as bitmaps, others are not.
func TestTiersSayThatTheyCarryBitmaps(t *testing.T) {
	tiersAlways(t, false)
	for _, each := range []int{2, 4} { // on two hosts, on one
		var bitmaps, bins atomic.Int64
		p := kronecker.Params{Scale: 10, EdgeFactor: 16, Seed1: 2, Seed2: 3}
		err := comm.Loopback(4, func(tr comm.Transport) error {
			tuples := make(graph.HostTuples, p.Edges()/4)
			p.Fill(p.Edges()/4*int64(tr.Rank()), tuples)
			e, err := bfs.NewHybrid(1)(&formed{comm.EmulateNodes(tr, hostsOf(4, each)), "", &bitmaps, &bins}, tuples)
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
			_, err = e.Search(p.KeyCandidate(0) % e.Layout().Vertices())
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
