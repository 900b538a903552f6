package comm

import "sync/atomic"

// Counted is a transport that counts its collectives: one more where the rank enters one, and one more where it leaves.
// The count is odd while the rank is in one. All ranks call the same, so that whoever has the lowest count is the one
// for which the others wait.
func Counted(t Transport, count *atomic.Int64) Transport { return &counted{Wrapper{t}, count} }

type counted struct {
	Wrapper
	count *atomic.Int64
}

func (t *counted) step() { t.count.Add(1) }

func (t *counted) Barrier() error {
	t.step()
	defer t.step()
	return t.Transport.Barrier()
}

func (t *counted) AllReduce(vals []int64, op Op) error {
	t.step()
	defer t.step()
	return t.Transport.AllReduce(vals, op)
}

func (t *counted) AllGather(words []uint64) error {
	t.step()
	defer t.step()
	return t.Transport.AllGather(words)
}

func (t *counted) AllToAll(send [][]byte) ([][]byte, error) {
	t.step()
	defer t.step()
	return t.Transport.AllToAll(send)
}

func (t *counted) NeighbourAllToAll(send [][]byte, n Neighbours) ([][]byte, error) {
	t.step()
	defer t.step()
	return t.Transport.NeighbourAllToAll(send, n)
}

func (t *counted) AllToAllInto(send, into [][]byte) ([][]byte, error) {
	t.step()
	defer t.step()
	return t.Transport.AllToAllInto(send, into)
}
