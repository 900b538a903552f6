package model

import (
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"g500/comm"
)

// counting is a transport that counts bytes: within nodes, between them, and messages between them.
type counting struct {
	comm.Transport
	sums *[3]atomic.Int64
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
	nodes := t.Nodes()
	for r, message := range send {
		switch {
		case r == t.Rank() || len(message) == 0:
		case nodes[r] == nodes[t.Rank()]:
			t.sums[0].Add(int64(len(message)))
		default:
			t.sums[1].Add(int64(len(message)))
			t.sums[2].Add(1)
		}
	}
}

// TestMessagesToNodes compares the modelled with the counted bytes of package comm, for drawn messages.
func TestMessagesToNodes(t *testing.T) {
	const ranks, draws, own = 40, 300, 5
	for _, c := range []struct {
		each            int
		senders, chance float64
		bytes           int
	}{{4, 1, 1, 300}, {8, 0.5, 0.1, 20}, {2, 1, 0.02, 7}, {8, 1, 0.9, 2000}} {
		var counted [3]atomic.Int64
		err := comm.Loopback(ranks, func(on comm.Transport) error {
			nodes := make([]int, ranks)
			for r := range nodes {
				nodes[r] = r / c.each
			}
			twoLevel := comm.NewTwoLevel(&counting{comm.EmulateNodes(on, nodes), &counted})
			rng := rand.New(rand.NewPCG(uint64(on.Rank()), 1))
			for range draws {
				send := make([][]byte, twoLevel.Nodes())
				sends := rng.Float64() < c.senders
				for h := range send {
					switch {
					case h == nodes[on.Rank()]:
						send[h] = make([]byte, own)
					case sends && rng.Float64() < c.chance:
						send[h] = make([]byte, c.bytes)
					}
				}
				if _, err := twoLevel.ToNodes(send); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		x := &traffic{ranks: ranks, nodes: nodes{math.Ceil(ranks / float64(c.each)), float64(c.each)}}
		x.toNodes(messages{c.senders, c.chance, float64(c.bytes)}, own)
		for i, derived := range []float64{x.sums[0].inside, x.sums[0].between, x.sums[0].messages} {
			if got := float64(counted[i].Load()) / draws; math.Abs(derived/got-1) > 0.04 {
				t.Errorf("%+v, %d: %.1f counted, the model has %.1f", c, i, got, derived)
			}
		}
	}
}

// TestBytesOfBits compares the mean bytes with drawn numbers of bits.
func TestBytesOfBits(t *testing.T) {
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
			t.Errorf("%g bits: %.3f bytes counted, the model has %.3f", mean, counted, derived)
		}
	}
}
