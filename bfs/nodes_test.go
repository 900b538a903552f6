// SPDX-License-Identifier: Apache-2.0

package bfs_test

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"g500/bfs"
	"g500/bfs/bfstest"
	"g500/comm"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/trace"
)

// withBounds changes the bounds until the test ends.
func withBounds(t *testing.T, change func(b *bfs.Bounds)) {
	expect.Set(t, bfs.CurrentBounds, *bfs.CurrentBounds)
	change(bfs.CurrentBounds)
}

// always makes exchanges of small graphs use two-level collectives, and queries if query is set.
func always(query bool) func(b *bfs.Bounds) {
	return func(b *bfs.Bounds) {
		b.TwoLevelFrom, b.QueriesFrom = 0, math.MaxInt
		if query {
			b.QueriesFrom = 0
		}
	}
}

// ownBitmaps refuses memory that ranks share.
func ownBitmaps(b *bfs.Bounds) {
	b.Share = func(comm.Transport, int) ([]uint64, func() error, error) { return nil, nil, nil }
}

// replicatingNone makes ranks replicate no bits, so small graphs need queries.
func replicatingNone(b *bfs.Bounds) { b.LeastReplicated = 0 }

// Exchanges that are divided into rounds of one word and few pairs give the same trees.
func TestHybridInRounds(t *testing.T) {
	withBounds(t, always(true))
	withBounds(t, replicatingNone)
	withBounds(t, func(b *bfs.Bounds) { b.GatherBytes, b.PushEdges = 0, 20 })
	bfstest.Run(t, bfs.NewHybrid(2), enginetest.OnNodes(2, 2), 4)
	bfstest.RunDirected(t, bfs.NewHybrid(2), enginetest.OnNodes(2, 2), 4)
	if !testing.Short() {
		bfstest.Run(t, bfs.NewHybrid(2), comm.Loopback, 3)
		withBounds(t, ownBitmaps)
		bfstest.Run(t, bfs.NewHybrid(2), comm.Loopback, 3)
	}
}

// Ranks on one node have bitmaps of their own, and a note, if the system refuses shared memory.
func TestHybridWithoutSharedMemory(t *testing.T) {
	noted := func(ranks int) (notes int64) {
		enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
			_, tuples := enginetest.Official(8, tr.Rank(), ranks)
			e := expect.Value(bfs.NewHybrid(1)(tr, tuples))(t)
			length := int64(len(e.(interface{ Note() string }).Note()))
			if least := expect.Value(comm.Reduce(tr, length, comm.Min))(t); tr.Rank() == 0 {
				notes = least
			}
			expect.NoError(t, e.Close())
		})
		return notes
	}
	expect.Equal(t, noted(2), 0, "length of the note of shared bitmaps")
	withBounds(t, ownBitmaps)
	expect.That(t, noted(2) > 0 && noted(1) == 0, "two ranks have no note, or one has")
	bfstest.Run(t, bfs.NewHybrid(2), comm.Loopback, 4)
	bfstest.RunDirected(t, bfs.NewHybrid(2), comm.Loopback, 4)
}

func TestHybridOnSeveralNodes(t *testing.T) {
	for _, query := range []bool{true, false} {
		t.Run(fmt.Sprintf("query=%v", query), func(t *testing.T) {
			withBounds(t, always(query))
			withBounds(t, replicatingNone)
			nodes := [][]int{{2, 2}, {1, 1, 1, 1}, {3, 1}}
			if testing.Short() || !query {
				nodes = nodes[:1]
			}
			for _, sizes := range nodes {
				bfstest.Run(t, bfs.NewHybrid(2), enginetest.OnNodes(sizes...), 4)
				bfstest.RunDirected(t, bfs.NewHybrid(2), enginetest.OnNodes(sizes...), 4)
			}
			if query {
				bfstest.Run(t, bfs.NewHybrid64(2), enginetest.OnNodes(2, 2), 4)
			}
		})
	}
}

// traffic counts messages between ranks, by payload.
type traffic struct {
	mu       sync.Mutex
	all      map[string]int64 // bytes of all messages
	bytes    int64            // of messages to other nodes
	gathers  int64            // all-gathers of words, by all ranks
	words    int64            // bytes of all-gathered words to other nodes
	messages int64            // to other nodes
}

func (x *traffic) String() string {
	return fmt.Sprintf("%d bytes of words, %d messages of %d bytes to other nodes", x.words, x.messages, x.bytes)
}

// counter counts the traffic of a rank while on is set.
type counter struct {
	comm.Transport
	nodes   []int // of ranks
	traffic *traffic
	payload string
	on      bool
}

func (t *counter) CountAs(payload string) { t.payload = payload }

func (t *counter) AllGather(words []uint64) error {
	t.traffic.mu.Lock()
	if t.on {
		t.traffic.gathers++
	}
	for _, node := range t.nodes {
		if t.on && node != t.nodes[t.Rank()] {
			t.traffic.words += int64(8 * len(words) / t.Size())
		}
	}
	t.traffic.mu.Unlock()
	return t.Transport.AllGather(words)
}

func (t *counter) AllToAll(send [][]byte) ([][]byte, error) {
	t.count(send)
	return t.Transport.AllToAll(send)
}

func (t *counter) NeighbourAllToAll(send [][]byte, n comm.Neighbours) ([][]byte, error) {
	t.count(send)
	return t.Transport.NeighbourAllToAll(send, n)
}

func (t *counter) count(send [][]byte) {
	t.traffic.mu.Lock()
	defer t.traffic.mu.Unlock()
	for r, message := range send {
		if !t.on || len(message) == 0 {
			continue
		}
		t.traffic.all[t.payload] += int64(len(message))
		if t.nodes[r] != t.nodes[t.Rank()] {
			t.traffic.bytes += int64(len(message))
			t.traffic.messages++
		}
	}
}

// trafficOf returns the traffic of searches of an official graph from the first keys with an edge, each ranks per node.
// Ranks have their nodes only if known is set.
func trafficOf(t *testing.T, scale, keys, ranks, each int, known bool) *traffic {
	t.Helper()
	sum := &traffic{all: map[string]int64{}}
	enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
		on := &counter{Transport: tr, nodes: enginetest.NodesOf(slices.Repeat([]int{each}, ranks/each)...), traffic: sum}
		if known {
			on.Transport = comm.EmulateNodes(tr, on.nodes)
		}
		p, tuples := enginetest.Official(scale, tr.Rank(), ranks)
		e := expect.Value(bfs.NewHybrid(1)(on, tuples))(t)
		for i, left := int64(0), keys; left > 0; i++ {
			root, layout := p.KeyCandidate(i), e.Layout()
			has := int64(0)
			if root < layout.Vertices() && layout.Owner(root) == on.Rank() && e.HasEdge(layout.Local(root)) {
				has = 1
			}
			if expect.Value(comm.Reduce(tr, has, comm.Max))(t) == 1 {
				left--
				on.on = true
				expect.NoError(t, expect.Err(e.Search(root)))
				on.on = false
			}
		}
	})
	return sum
}

// If ranks have their nodes, at most 1/8 of the bytes cross between nodes, and 3/4 of these with queries.
func TestBytesBetweenNodes(t *testing.T) {
	var bytes []int64
	for _, c := range []struct{ known, query bool }{{false, false}, {true, false}, {true, true}} {
		withBounds(t, always(c.query))
		withBounds(t, ownBitmaps)
		x := trafficOf(t, 15, 3, 64, 8, c.known)
		t.Logf("%v; known %v, query %v", x, c.known, c.query)
		bytes = append(bytes, x.words+x.bytes)
	}
	expect.That(t, 8*bytes[1] <= bytes[0] && 4*bytes[2] <= 3*bytes[1],
		"bytes to other nodes: %d, with two-level collectives %d, with queries %d", bytes[0], bytes[1], bytes[2])
}

// Exchanges of short messages, such as pairs, from node to node instead of rank to rank take at most 4/5 of the
// messages and 10% more bytes. Most labels of parents are known, and need no messages.
func TestMessagesBetweenNodes(t *testing.T) {
	withBounds(t, always(true))
	together := trafficOf(t, 15, 3, 64, 16, true)
	withBounds(t, func(b *bfs.Bounds) { b.TwoLevelPairs = 0 })
	apart := trafficOf(t, 15, 3, 64, 16, true)
	t.Logf("%v, from rank to rank %v", together, apart)
	expect.That(t, 5*together.messages <= 4*apart.messages && 10*together.bytes <= 11*apart.bytes,
		"%v, from rank to rank %v", together, apart)
}

// Messages of two-level collectives are reported as bitmaps, other messages are not. On one node there are none, and no
// words of bitmaps are gathered: ranks share them.
func TestPayloadOfTwoLevelCollectives(t *testing.T) {
	withBounds(t, always(false))
	for _, each := range []int{2, 4} { // on two nodes, on one
		x := trafficOf(t, 10, 1, 4, each, true)
		bitmaps := x.all[trace.BitmapPayload]
		delete(x.all, trace.BitmapPayload)
		expect.That(t, (bitmaps > 0) == (each == 2) && x.gathers == 0 && len(x.all) > 0,
			"%d ranks per node: %d bytes, %d gathers, %v", each, bitmaps, x.gathers, x.all)
	}
}

// A search does not depend on earlier searches.
func TestSearchesAreIndependent(t *testing.T) {
	withBounds(t, ownBitmaps)
	for _, ranks := range []int{1, 3} {
		enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
			p, own := enginetest.Official(10, tr.Rank(), ranks)
			enginetest.IsIndependent(t, expect.Value(bfs.NewHybrid(1)(tr, own))(t), p)
		})
	}
}

func TestTopDown(t *testing.T) {
	bfstest.Run(t, bfs.NewTopDown, comm.Loopback, enginetest.Ranks(1, 3, 4)...)
}

func TestHybrid(t *testing.T) {
	bfstest.Run(t, bfs.NewHybrid(1), comm.Loopback, enginetest.Ranks(2, 4)...)
	bfstest.Run(t, bfs.NewHybrid(3), comm.Loopback, enginetest.Ranks(1, 3, 7)...)
	bfstest.Run(t, bfs.NewHybrid64(3), comm.Loopback, enginetest.Ranks(1, 4)...)
}

func TestDirected(t *testing.T) {
	bfstest.RunDirected(t, bfs.NewTopDown, comm.Loopback, enginetest.Ranks(1, 3)...)
	bfstest.RunDirected(t, bfs.NewHybrid(1), comm.Loopback, enginetest.Ranks(1, 2, 4)...)
	bfstest.RunDirected(t, bfs.NewHybrid(3), comm.Loopback, enginetest.Ranks(1, 3)...)
	bfstest.RunDirected(t, bfs.NewHybrid64(3), comm.Loopback, enginetest.Ranks(1, 4)...)
}
