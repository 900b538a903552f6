package comm

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
)

// crossing counts the messages to other hosts, and their bytes.
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
	hosts := t.Hosts()
	for r, message := range send {
		if hosts[r] != hosts[t.Rank()] && len(message) > 0 {
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

// clusters are the hosts of ranks.
var clusters = [][]int{
	{0}, {0, 0, 0}, {0, 1}, {0, 0, 1, 1}, {0, 1, 0, 1, 2, 2}, {0, 0, 0, 0, 1, 2, 2}, {0, 1, 1, 1, 1, 1},
	{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5},
}

// Every rank gets the message of every rank, and each message goes to each other host once.
func TestTiersBringAllMessages(t *testing.T) {
	for _, hosts := range clusters {
		t.Run(fmt.Sprint(hosts), func(t *testing.T) {
			const calls = 5
			var crossed, messages atomic.Int64
			err := Loopback(len(hosts), func(tr Transport) error {
				tiers := NewTiers(&crossing{OnHosts(tr, hosts), &crossed, &messages})
				if tiers.Several() != (slices.Max(hosts) > 0) {
					return fmt.Errorf("several hosts: %v", tiers.Several())
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
			for r := range hosts {
				for call := range calls {
					want += len(messageOf(r, call)) * slices.Max(hosts)
				}
			}
			if int(crossed.Load()) != want {
				t.Errorf("%d bytes crossed, want %d: each message once to each other host", crossed.Load(), want)
			}
		})
	}
}

// Every rank gets what every rank sends to its host. One message goes from host to host, with little beside what is
// sent.
func TestTiersBringMessagesToHosts(t *testing.T) {
	for _, hosts := range clusters {
		t.Run(fmt.Sprint(hosts), func(t *testing.T) {
			const calls = 5
			n := slices.Max(hosts) + 1
			var crossed, messages atomic.Int64
			err := Loopback(len(hosts), func(tr Transport) error {
				tiers := NewTiers(&crossing{OnHosts(tr, hosts), &crossed, &messages})
				if tiers.Save() != (n > 1 && n < len(hosts)) {
					return fmt.Errorf("tiers save messages: %v", tiers.Save())
				}
				for call := range calls {
					send := make([][]byte, n)
					for h := range send {
						send[h] = messageOf(tr.Rank(), call*n+h)
					}
					got, err := tiers.ToHosts(send)
					if err != nil {
						return err
					}
					for r, message := range got {
						if !bytes.Equal(message, messageOf(r, call*n+hosts[tr.Rank()])) {
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
			for r := range hosts {
				for i := range calls * n {
					if i%n != hosts[r] {
						sent += len(messageOf(r, i))
					}
				}
			}
			if most := sent + 2*calls*n*len(hosts); int(crossed.Load()) > most {
				t.Errorf("%d bytes crossed, for messages of %d", crossed.Load(), sent)
			}
			if int(messages.Load()) > calls*n*(n-1) {
				t.Errorf("%d messages crossed between %d hosts in %d calls", messages.Load(), n, calls)
			}
		})
	}
}

// AllToAll brings what the transport's does.
func TestTiersFromRankToRank(t *testing.T) {
	for _, hosts := range clusters {
		err := Loopback(len(hosts), func(tr Transport) error {
			n := len(hosts)
			send := make([][]byte, n)
			for r := range send {
				send[r] = messageOf(tr.Rank(), r)
			}
			got, err := NewTiers(OnHosts(tr, hosts)).AllToAll(send)
			for r, message := range got {
				if !bytes.Equal(message, messageOf(r, tr.Rank())) {
					return fmt.Errorf("another message of rank %d", r)
				}
			}
			return err
		})
		if err != nil {
			t.Errorf("hosts %v: %v", hosts, err)
		}
	}
}

// Nothing goes where nothing is to be said.
func TestTiersSendNoEmptyMessages(t *testing.T) {
	var crossed, messages atomic.Int64
	hosts := []int{0, 0, 1, 1}
	err := Loopback(len(hosts), func(tr Transport) error {
		_, err := NewTiers(&crossing{OnHosts(tr, hosts), &crossed, &messages}).ToHosts(make([][]byte, 2))
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

func TestPlaceOnHost(t *testing.T) {
	hosts := []int{0, 1, 0, 1, 1}
	places, sizes := []int{0, 0, 1, 1, 2}, []int{2, 3, 2, 3, 3}
	err := Loopback(len(hosts), func(tr Transport) error {
		place, size := Place(OnHosts(tr, hosts))
		if place != places[tr.Rank()] || size != sizes[tr.Rank()] {
			return fmt.Errorf("place %d of %d", place, size)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
