// SPDX-License-Identifier: Apache-2.0

package commtest

import (
	"slices"
	"testing"

	"g500/comm"
)

// faulty is a transport with one planted defect: the methods that a defect replaces are set.
type faulty struct {
	comm.Transport
	nodes     func() []int
	barrier   func() error
	allReduce func([]int64, comm.Op) error
	allGather func([]uint64) error
	allToAll  func([][]byte) ([][]byte, error)
	into      func(send, into [][]byte) error
	pieces    func(comm.Pieces) error
	near      func([][]byte, comm.Neighbours) ([][]byte, error)
}

func (f *faulty) Nodes() []int                             { return f.nodes() }
func (f *faulty) Barrier() error                           { return f.barrier() }
func (f *faulty) AllReduce(vals []int64, op comm.Op) error { return f.allReduce(vals, op) }
func (f *faulty) AllGather(words []uint64) error           { return f.allGather(words) }
func (f *faulty) AllToAll(send [][]byte) ([][]byte, error) { return f.allToAll(send) }

func (f *faulty) AllToAllInto(send, into [][]byte) error { return f.into(send, into) }

func (f *faulty) AllToAllPieces(p comm.Pieces) error { return f.pieces(p) }

func (f *faulty) NeighbourAllToAll(send [][]byte, n comm.Neighbours) ([][]byte, error) {
	return f.near(send, n)
}

// defects has faults of transports, each with the case of the suite that must find it.
var defects = map[string]struct {
	foundBy string
	plant   func(sound comm.Transport, f *faulty)
}{
	"a node without a rank": {"Identity", func(t comm.Transport, f *faulty) {
		f.nodes = func() []int { return slices.Repeat([]int{1}, t.Size()) }
	}},
	"nodes that differ on one rank": {"Identity", func(t comm.Transport, f *faulty) {
		f.nodes = func() []int {
			nodes := make([]int, t.Size())
			if t.Rank() == 0 {
				nodes[t.Size()-1] = 1
			}
			return nodes
		}
	}},
	"a barrier that does not wait": {"Barrier", func(_ comm.Transport, f *faulty) {
		f.barrier = func() error { return nil }
	}},
	"a minimum without signs": {"AllReduce", func(t comm.Transport, f *faulty) {
		f.allReduce = func(vals []int64, op comm.Op) error {
			if op != comm.Min {
				return t.AllReduce(vals, op)
			}
			flip(vals)
			defer flip(vals)
			return t.AllReduce(vals, op)
		}
	}},
	"the end of a long reduction is skipped": {"AllReduce", func(t comm.Transport, f *faulty) {
		f.allReduce = func(vals []int64, op comm.Op) error { return t.AllReduce(vals[:min(len(vals), 1<<13)], op) }
	}},
	"an empty reduction panics": {"AllReduceEmpty", func(t comm.Transport, f *faulty) {
		f.allReduce = func(vals []int64, op comm.Op) error { _ = vals[0]; return t.AllReduce(vals, op) }
	}},
	"a gather without the last block": {"AllGatherSizes", func(t comm.Transport, f *faulty) {
		f.allGather = func(words []uint64) error {
			copied := slices.Clone(words)
			if err := t.AllGather(copied); err != nil {
				return err
			}
			copy(words, copied[:len(words)*(t.Size()-1)/t.Size()])
			return nil
		}
	}},
	"messages in another order": {"AllToAllSizes", received(slices.Reverse[[][]byte])},
	"messages without their last bytes": {"AllToAllSizes", received(func(recv [][]byte) {
		for r, b := range recv {
			recv[r] = b[:len(b)&^7]
		}
	})},
	"messages that are not aligned": {"AllToAllSizes", received(func(recv [][]byte) {
		for r, b := range recv {
			recv[r] = append(make([]byte, 1, len(b)+1), b...)[1:]
		}
	})},
	"long messages lose their tail": {"AllToAllLarge", received(cutTails)},
	"results in the sender's memory": {"AllToAllReuse", func(t comm.Transport, f *faulty) {
		f.allToAll = func(send [][]byte) ([][]byte, error) {
			recv, err := t.AllToAll(send)
			if err == nil {
				recv[t.Rank()] = send[t.Rank()]
			}
			return recv, err
		}
	}},
	"long messages lose their tail in the buffer": {"IntoLarge", func(t comm.Transport, f *faulty) {
		f.into = func(send, into [][]byte) error {
			defer cutTails(into)
			return t.AllToAllInto(send, into)
		}
	}},
	"pieces in another order": {"PiecesSizes", func(t comm.Transport, f *faulty) {
		f.pieces = func(p comm.Pieces) error { return t.AllToAllPieces(swapped{p}) }
	}},
	"a piece is made again before it is sent": {"PiecesLarge", func(t comm.Transport, f *faulty) {
		f.pieces = func(p comm.Pieces) error { return t.AllToAllPieces(hurried{p}) }
	}},
	"faults of pieces are lost": {"PiecesThatFail", func(t comm.Transport, f *faulty) {
		f.pieces = func(p comm.Pieces) error { _ = t.AllToAllPieces(p); return nil }
	}},
	"messages to ranks that are no neighbours": {"NeighbourSizes", func(t comm.Transport, f *faulty) {
		f.near = func(send [][]byte, _ comm.Neighbours) ([][]byte, error) { return t.AllToAll(send) }
	}},
	"a message between neighbours is lost": {"NeighbourSizes", func(t comm.Transport, f *faulty) {
		f.near = func(send [][]byte, n comm.Neighbours) ([][]byte, error) {
			recv, err := t.NeighbourAllToAll(send, n)
			if err == nil && len(n.From) > 1 {
				recv[n.From[1]] = nil
			}
			return recv, err
		}
	}},
	"long messages between neighbours lose their tail": {"NeighbourLarge", func(t comm.Transport, f *faulty) {
		f.near = func(send [][]byte, n comm.Neighbours) ([][]byte, error) {
			recv, err := t.NeighbourAllToAll(send, n)
			cutTails(recv)
			return recv, err
		}
	}},
	"a rank is its own neighbour": {"NeighbourRefusals", func(t comm.Transport, f *faulty) {
		f.near = func(send [][]byte, n comm.Neighbours) ([][]byte, error) {
			n.To = slices.DeleteFunc(slices.Clone(n.To), func(r int) bool { return r == t.Rank() })
			return t.NeighbourAllToAll(send, n)
		}
	}},
}

// received plants a change of the messages that AllToAll returns.
func received(change func(recv [][]byte)) func(comm.Transport, *faulty) {
	return func(t comm.Transport, f *faulty) {
		f.allToAll = func(send [][]byte) ([][]byte, error) {
			recv, err := t.AllToAll(send)
			change(recv)
			return recv, err
		}
	}
}

// cutTails clears all bytes after the first 4 MiB of each message.
func cutTails(recv [][]byte) {
	for _, b := range recv {
		clear(b[min(len(b), 4<<20):])
	}
}

// swapped reports the first two pieces from a rank in the other order.
type swapped struct{ comm.Pieces }

func (s swapped) Arrived(rank, i int) error {
	if _, n := s.Counts(rank); n > 1 && i < 2 {
		i = 1 - i
	}
	return s.Pieces.Arrived(rank, i)
}

// hurried makes a piece in the memory of the first one of a message before that is sent.
type hurried struct{ comm.Pieces }

func (h hurried) Out(rank, i int) (piece []byte, err error) {
	piece, err = h.Pieces.Out(rank, i)
	if n, _ := h.Counts(rank); i == 0 && n > comm.PiecesInFlight && piece != nil {
		for again := []byte(nil); again == nil && err == nil; {
			again, err = h.Pieces.Out(rank, comm.PiecesInFlight)
		}
	}
	return piece, err
}

// flip turns signed order into unsigned order.
func flip(vals []int64) {
	for i := range vals {
		vals[i] ^= -1 << 63
	}
}

func TestSuiteFindsDefects(t *testing.T) {
	for name, d := range defects {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(cases, func(c testCase) bool { return c.name == d.foundBy })
			err := comm.Loopback(3, func(sound comm.Transport) error {
				f := &faulty{sound, sound.Nodes, sound.Barrier, sound.AllReduce, sound.AllGather, sound.AllToAll,
					sound.AllToAllInto, sound.AllToAllPieces, sound.NeighbourAllToAll}
				d.plant(sound, f)
				return cases[i].check(f, 3)
			})
			if err == nil {
				t.Errorf("the case %s does not find it", d.foundBy)
			}
		})
	}
}
