// SPDX-License-Identifier: Apache-2.0

package comm

import "sync/atomic"

// Counted returns a transport that adds 1 to count when the rank enters a collective, and when it leaves it. The count
// is odd inside a collective. All ranks call the same collectives, so the others wait for the rank with the lowest
// count.
func Counted(t Transport, count *atomic.Int64) Transport { return &counted{Wrapper{t}, count} }

type counted struct {
	Wrapper
	count *atomic.Int64
}

// collective counts the entry into a collective; the returned function counts the exit.
func (t *counted) collective() (leave func()) {
	t.count.Add(1)
	return func() { t.count.Add(1) }
}

func (t *counted) Barrier() error {
	defer t.collective()()
	return t.Transport.Barrier()
}

func (t *counted) AllReduce(vals []int64, op Op) error {
	defer t.collective()()
	return t.Transport.AllReduce(vals, op)
}

func (t *counted) AllGather(words []uint64) error {
	defer t.collective()()
	return t.Transport.AllGather(words)
}

func (t *counted) AllToAll(send [][]byte) ([][]byte, error) {
	defer t.collective()()
	return t.Transport.AllToAll(send)
}

func (t *counted) NeighbourAllToAll(send [][]byte, n Neighbours) ([][]byte, error) {
	defer t.collective()()
	return t.Transport.NeighbourAllToAll(send, n)
}

func (t *counted) AllToAllPieces(p Pieces) error {
	defer t.collective()()
	return t.Transport.AllToAllPieces(p)
}

func (t *counted) AllToAllInto(send, into [][]byte) error {
	defer t.collective()()
	return t.Transport.AllToAllInto(send, into)
}
