// SPDX-License-Identifier: Apache-2.0

package comm

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"g500/internal/expect"
)

// crossing counts the messages to other nodes, and their bytes.
type crossing struct {
	Transport
	bytes, messages *atomic.Int64
}

func (t *crossing) AllToAll(send [][]byte) ([][]byte, error) {
	t.note(send)
	return t.Transport.AllToAll(send)
}

func (t *crossing) NeighbourAllToAll(send [][]byte, n Neighbours) ([][]byte, error) {
	t.note(send)
	return t.Transport.NeighbourAllToAll(send, n)
}

func (t *crossing) note(send [][]byte) {
	nodes := t.Nodes()
	for r, message := range send {
		if nodes[r] != nodes[t.Rank()] && len(message) > 0 {
			t.bytes.Add(int64(len(message)))
			t.messages.Add(1)
		}
	}
}

// messageOf returns the message of a rank in a call, which may be empty.
func messageOf(rank, call int) []byte {
	r := rand.New(rand.NewPCG(uint64(rank), uint64(call)))
	message := make([]byte, r.IntN(300)*r.IntN(2))
	for i := range message {
		message[i] = byte(r.Uint32())
	}
	return message
}

// onClusters runs calls on ranks of several clusters. Each call of exchange must return the messages of all ranks with
// the numbers of want. check gets the nodes, and the bytes and messages that crossed between nodes in all calls.
func onClusters(t *testing.T, exchange func(x *TwoLevel, rank, call int) (got [][]byte, err error),
	want func(nodes []int, rank, call int) int, check func(t *testing.T, nodes []int, bytes, messages int)) {
	for _, nodes := range [][]int{
		{0}, {0, 0, 0}, {0, 1}, {0, 0, 1, 1}, {0, 1, 0, 1, 2, 2}, {0, 0, 0, 0, 1, 2, 2}, {0, 1, 1, 1, 1, 1},
		{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5},
	} {
		t.Run(fmt.Sprint(nodes), func(t *testing.T) {
			var crossed, messages atomic.Int64
			expect.NoError(t, Loopback(len(nodes), func(tr Transport) error {
				x := NewTwoLevel(&crossing{EmulateNodes(tr, nodes), &crossed, &messages})
				n := slices.Max(nodes) + 1
				expect.That(t, x.Nodes() == n && x.Several() == (n > 1) && x.Save() == (n > 1 && n < len(nodes)),
					"%d nodes, several: %v, save: %v", x.Nodes(), x.Several(), x.Save())
				for call := range calls {
					got, err := exchange(x, tr.Rank(), call)
					if err != nil {
						return err
					}
					for r, message := range got {
						expect.That(t, bytes.Equal(message, messageOf(r, want(nodes, tr.Rank(), call))),
							"call %d: the message of rank %d is wrong", call, r)
					}
				}
				return nil
			}))
			check(t, nodes, int(crossed.Load()), int(messages.Load()))
		})
	}
}

const calls = 5

// Every rank gets the message of every rank, and each message crosses once to each other node.
func TestTwoLevelAllGather(t *testing.T) {
	onClusters(t, func(x *TwoLevel, rank, call int) ([][]byte, error) { return x.AllGather(messageOf(rank, call)) },
		func(_ []int, _, call int) int { return call },
		func(t *testing.T, nodes []int, crossed, _ int) {
			want := 0
			for r := range nodes {
				for call := range calls {
					want += len(messageOf(r, call)) * slices.Max(nodes)
				}
			}
			expect.Equal(t, crossed, want)
		})
}

// Every rank gets the message of every rank to its node. At most one message per call crosses from one node to another,
// with a few more bytes than the ranks have, and none for empty messages.
func TestTwoLevelToNodes(t *testing.T) {
	onClusters(t, func(x *TwoLevel, rank, call int) ([][]byte, error) {
		send := make([][]byte, x.Nodes())
		for h := range send {
			send[h] = messageOf(rank, call*x.Nodes()+h)
		}
		return x.ToNodes(send)
	}, func(nodes []int, rank, call int) int { return call*(slices.Max(nodes)+1) + nodes[rank] },
		func(t *testing.T, nodes []int, crossed, messages int) {
			n, sent, bundles := slices.Max(nodes)+1, 0, map[[2]int]bool{}
			for r, node := range nodes {
				for i := range calls * n {
					if bytes := len(messageOf(r, i)); i%n != node && bytes > 0 {
						sent += bytes
						bundles[[2]int{node, i}] = true
					}
				}
			}
			expect.That(t, crossed <= sent+2*calls*n*len(nodes) && messages <= len(bundles),
				"%d bytes in %d messages crossed between %d nodes, for %d bytes of ranks", crossed, messages, n, sent)
		})
}

// AllToAll has the result of the transport's AllToAll.
func TestTwoLevelAllToAll(t *testing.T) {
	onClusters(t, func(x *TwoLevel, rank, call int) ([][]byte, error) {
		send := make([][]byte, x.t.Size())
		for r := range send {
			send[r] = messageOf(rank, call+r)
		}
		return x.AllToAll(send)
	}, func(_ []int, rank, call int) int { return call + rank }, func(*testing.T, []int, int, int) {})
}

// cutSection returns the appended messages, and never reads beyond a bundle.
func FuzzSections(f *testing.F) {
	f.Add([]byte("one"), []byte{0x80, 0xff})
	f.Fuzz(func(t *testing.T, message, bundle []byte) {
		got, rest, err := cutSection(appendSection(nil, message))
		expect.That(t, err == nil && bytes.Equal(got, message) && len(rest) == 0,
			"%q came back as %q and %q (%v)", message, got, rest, err)
		for len(bundle) > 0 {
			got, rest, err := cutSection(bundle)
			if err != nil {
				return
			}
			expect.Must(t, len(got)+len(rest) < len(bundle), "%q has %q and %q", bundle, got, rest)
			bundle = rest
		}
	})
}

func TestPlaceOnNode(t *testing.T) {
	nodes := []int{0, 1, 0, 1, 1}
	places, sizes := []int{0, 0, 1, 1, 2}, []int{2, 3, 2, 3, 3}
	expect.NoError(t, Loopback(len(nodes), func(tr Transport) error {
		place, size := Place(EmulateNodes(tr, nodes))
		expect.Equal(t, [2]int{place, size}, [2]int{places[tr.Rank()], sizes[tr.Rank()]}, "place on the node")
		return nil
	}))
}

func TestTextsAndSharers(t *testing.T) {
	cards := []string{"node a, card 1", "", "node a, card 1", "node b, card 1", "", "node a, card 1"}
	want := [][]int{{0, 2, 5}, {1, 4}, {0, 2, 5}, {3}, {1, 4}, {0, 2, 5}}
	expect.NoError(t, Loopback(len(cards), func(tr Transport) error {
		texts, err := Gathered(tr, strings.Repeat(cards[tr.Rank()], 2))
		if err != nil {
			return err
		}
		for r, text := range texts {
			expect.Equal(t, text, cards[r]+cards[r], "rank", tr.Rank(), "from rank", r)
		}
		got, err := Sharers(tr, cards[tr.Rank()])
		expect.Equal(t, got, want[tr.Rank()], "rank", tr.Rank())
		return err
	}))
}

// The memory is reused.
func TestInboxMemory(t *testing.T) {
	var b inbox
	large := []int64{8 << 20}
	b.take(large)
	allocations := testing.AllocsPerRun(10, func() {
		b.take([]int64{8})
		b.take(large)
	})
	expect.Equal(t, allocations, 0)
}
