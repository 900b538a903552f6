package comm

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
)

// crossing counts the bytes of messages to other hosts.
type crossing struct {
	Transport
	bytes *atomic.Int64
}

func (t *crossing) AllToAll(send [][]byte) ([][]byte, error) {
	hosts := t.Hosts()
	for r, message := range send {
		if hosts[r] != hosts[t.Rank()] {
			t.bytes.Add(int64(len(message)))
		}
	}
	return t.Transport.AllToAll(send)
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

// Every rank gets the message of every rank, and each message goes to each other host once.
func TestTiersBringAllMessages(t *testing.T) {
	for _, hosts := range [][]int{
		{0}, {0, 0, 0}, {0, 1}, {0, 0, 1, 1}, {0, 1, 0, 1, 2, 2}, {0, 0, 0, 0, 1, 2, 2}, {0, 1, 1, 1, 1, 1},
	} {
		t.Run(fmt.Sprint(hosts), func(t *testing.T) {
			const calls = 5
			var crossed atomic.Int64
			err := Loopback(len(hosts), func(tr Transport) error {
				tiers := NewTiers(&crossing{OnHosts(tr, hosts), &crossed})
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
