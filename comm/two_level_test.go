package comm

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
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

// messageOf is what a rank has to tell in a call: of any length, also none.
func messageOf(rank, call int) []byte {
	r := rand.New(rand.NewPCG(uint64(rank), uint64(call)))
	message := make([]byte, r.IntN(300)*r.IntN(2))
	for i := range message {
		message[i] = byte(r.Uint32())
	}
	return message
}

// clusters are the nodes of ranks.
var clusters = [][]int{
	{0}, {0, 0, 0}, {0, 1}, {0, 0, 1, 1}, {0, 1, 0, 1, 2, 2}, {0, 0, 0, 0, 1, 2, 2}, {0, 1, 1, 1, 1, 1},
	{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5},
}

// Every rank gets the message of every rank, and each message goes to each other node once.
func TestTwoLevelBringsAllMessages(t *testing.T) {
	for _, nodes := range clusters {
		t.Run(fmt.Sprint(nodes), func(t *testing.T) {
			const calls = 5
			var crossed, messages atomic.Int64
			err := Loopback(len(nodes), func(tr Transport) error {
				tiers := NewTwoLevel(&crossing{EmulateNodes(tr, nodes), &crossed, &messages})
				if tiers.Several() != (slices.Max(nodes) > 0) {
					return fmt.Errorf("several nodes: %v", tiers.Several())
				}
				for call := range calls {
					got, err := tiers.AllGather(messageOf(tr.Rank(), call))
					if err != nil {
						return err
					}
					for r, message := range got {
						if !bytes.Equal(message, messageOf(r, call)) {
							return fmt.Errorf("call %d: another message of rank %d", call, r)
						}
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			for r := range nodes {
				for call := range calls {
					want += len(messageOf(r, call)) * slices.Max(nodes)
				}
			}
			if int(crossed.Load()) != want {
				t.Errorf("%d bytes crossed, want %d: each message once to each other node", crossed.Load(), want)
			}
		})
	}
}

// Every rank gets what every rank sends to its node. One message goes from node to node, with little beside what is
// sent.
func TestTwoLevelBringsMessagesToNodes(t *testing.T) {
	for _, nodes := range clusters {
		t.Run(fmt.Sprint(nodes), func(t *testing.T) {
			const calls = 5
			n := slices.Max(nodes) + 1
			var crossed, messages atomic.Int64
			err := Loopback(len(nodes), func(tr Transport) error {
				tiers := NewTwoLevel(&crossing{EmulateNodes(tr, nodes), &crossed, &messages})
				if tiers.Save() != (n > 1 && n < len(nodes)) {
					return fmt.Errorf("tiers save messages: %v", tiers.Save())
				}
				for call := range calls {
					send := make([][]byte, n)
					for h := range send {
						send[h] = messageOf(tr.Rank(), call*n+h)
					}
					got, err := tiers.ToNodes(send)
					if err != nil {
						return err
					}
					for r, message := range got {
						if !bytes.Equal(message, messageOf(r, call*n+nodes[tr.Rank()])) {
							return fmt.Errorf("call %d: another message of rank %d", call, r)
						}
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			sent := 0
			for r := range nodes {
				for i := range calls * n {
					if i%n != nodes[r] {
						sent += len(messageOf(r, i))
					}
				}
			}
			if most := sent + 2*calls*n*len(nodes); int(crossed.Load()) > most {
				t.Errorf("%d bytes crossed, for messages of %d", crossed.Load(), sent)
			}
			if int(messages.Load()) > calls*n*(n-1) {
				t.Errorf("%d messages crossed between %d nodes in %d calls", messages.Load(), n, calls)
			}
		})
	}
}

// AllToAll brings what the transport's does.
func TestTiersFromRankToRank(t *testing.T) {
	for _, nodes := range clusters {
		err := Loopback(len(nodes), func(tr Transport) error {
			n := len(nodes)
			send := make([][]byte, n)
			for r := range send {
				send[r] = messageOf(tr.Rank(), r)
			}
			got, err := NewTwoLevel(EmulateNodes(tr, nodes)).AllToAll(send)
			for r, message := range got {
				if !bytes.Equal(message, messageOf(r, tr.Rank())) {
					return fmt.Errorf("another message of rank %d", r)
				}
			}
			return err
		})
		if err != nil {
			t.Errorf("nodes %v: %v", nodes, err)
		}
	}
}

// Nothing goes where nothing is to be said.
func TestTiersSendNoEmptyMessages(t *testing.T) {
	var crossed, messages atomic.Int64
	nodes := []int{0, 0, 1, 1}
	err := Loopback(len(nodes), func(tr Transport) error {
		_, err := NewTwoLevel(&crossing{EmulateNodes(tr, nodes), &crossed, &messages}).ToNodes(make([][]byte, 2))
		return err
	})
	if err != nil || messages.Load() != 0 {
		t.Errorf("%d messages (%v)", messages.Load(), err)
	}
}

// A bundle that ends early is refused.
func TestSectionsOfBundles(t *testing.T) {
	bundle := appendSection(appendSection(nil, []byte("one")), nil)
	for n := range len(bundle) {
		message, rest, err := cutSection(bundle[:n])
		if err == nil {
			_, _, err = cutSection(rest)
		}
		if err == nil {
			t.Errorf("the first %d bytes have %q and another message", n, message)
		}
	}
}

// FuzzSections never reads beyond a bundle, and finds what was put in.
func FuzzSections(f *testing.F) {
	f.Add([]byte("one"), []byte{0x80, 0xff})
	f.Fuzz(func(t *testing.T, message, bundle []byte) {
		got, rest, err := cutSection(appendSection(nil, message))
		if err != nil || !bytes.Equal(got, message) || len(rest) > 0 {
			t.Errorf("%q came back as %q and %q (%v)", message, got, rest, err)
		}
		for len(bundle) > 0 {
			got, rest, err := cutSection(bundle)
			if err != nil {
				return
			}
			if len(got)+len(rest) >= len(bundle) {
				t.Fatalf("%q has %q and %q", bundle, got, rest)
			}
			bundle = rest
		}
	})
}

func TestPlaceOnNode(t *testing.T) {
	nodes := []int{0, 1, 0, 1, 1}
	places, sizes := []int{0, 0, 1, 1, 2}, []int{2, 3, 2, 3, 3}
	err := Loopback(len(nodes), func(tr Transport) error {
		place, size := Place(EmulateNodes(tr, nodes))
		if place != places[tr.Rank()] || size != sizes[tr.Rank()] {
			return fmt.Errorf("place %d of %d", place, size)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
