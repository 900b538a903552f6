package model

import (
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"g500/comm"
)

// counting is a transport that counts what ranks send by tier.
type counting struct {
	comm.Transport
	tiers map[string]*[2]atomic.Int64 // bytes, messages
}

func (t *counting) AllToAll(send [][]byte) ([][]byte, error) {
	t.note(send)
	return t.Transport.AllToAll(send)
}

func (t *counting) NeighbourAllToAll(send [][]byte, n comm.Neighbours) ([][]byte, error) {
	t.note(send)
	return t.Transport.NeighbourAllToAll(send, n)
}

func (t *counting) note(send [][]byte) {
	hosts := t.Nodes()
	for r, message := range send {
		tier := BetweenTier
		if hosts[r] == hosts[t.Rank()] {
			tier = InsideTier
		}
		if r != t.Rank() && len(message) > 0 {
			t.tiers[tier][0].Add(int64(len(message)))
			t.tiers[tier][1].Add(1)
		}
	}
}

// What goes from host to host is what package comm sends, of messages that are drawn.
func TestMessagesToHostsAreThoseThatAreSent(t *testing.T) {
	const ranks, draws, own = 40, 300, 5
	for _, c := range []struct {
		each            int
		senders, chance float64
		bytes           int
	}{{4, 1, 1, 300}, {8, 0.5, 0.1, 20}, {2, 1, 0.02, 7}, {8, 1, 0.9, 2000}} {
		counted := map[string]*[2]atomic.Int64{InsideTier: {}, BetweenTier: {}}
		err := comm.Loopback(ranks, func(on comm.Transport) error {
			hosts := make([]int, ranks)
			for r := range hosts {
				hosts[r] = r / c.each
			}
			tiers := comm.NewTwoLevel(&counting{comm.EmulateNodes(on, hosts), counted})
			rng := rand.New(rand.NewPCG(uint64(on.Rank()), 1))
			for range draws {
				send := make([][]byte, tiers.Nodes())
				sends := rng.Float64() < c.senders
				for h := range send {
					switch {
					case h == hosts[on.Rank()]:
						send[h] = make([]byte, own)
					case sends && rng.Float64() < c.chance:
						send[h] = make([]byte, c.bytes)
					}
				}
				if _, err := tiers.ToNodes(send); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		x := &exchange{ranks: ranks, hosts: newHosts(ranks, c.each)}
		x.toHosts(BitsForm, messages{c.senders, c.chance, float64(c.bytes)}, own)
		for _, s := range x.sent {
			for i, derived := range []float64{s.Bytes, s.Messages} {
				got := float64(counted[s.Tier][i].Load()) / draws
				if math.Abs(derived/got-1) > 0.04 {
					t.Errorf("%+v, %s, %d: %.1f counted, the model says %.1f", c, s.Tier, i, got, derived)
				}
			}
		}
	}
}

// Bits take whole bytes.
func TestBytesOfBitsAreThoseOfDrawnNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, mean := range []float64{0.1, 3, 40, 100} {
		const draws = 20000
		bytes := 0.0
		for range draws {
			n := -1
			for left := mean; left >= 0; left -= rng.ExpFloat64() {
				n++
			}
			bytes += math.Ceil(float64(n) / 8)
		}
		if counted, derived := bytes/draws, bytesOfBits(mean); math.Abs(derived/counted-1) > 0.05 {
			t.Errorf("%g bits: %.3f bytes counted, the model says %.3f", mean, counted, derived)
		}
	}
}
