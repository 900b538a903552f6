//go:build mpi && cgo

package comm

// AllToAllInto receives the messages in the caller's buffers.
func (t *mpiRank) AllToAllInto(send, into [][]byte) ([][]byte, error) {
	if err := checkInto(send, into, t.size); err != nil {
		return nil, err
	}
	for r := range send {
		t.outgoing[r], t.buffers[r] = int64(len(send[r])), int64(len(into[r]))
	}
	if err := t.own.swap(t.messages(send, into), t.buffers); err != nil {
		return nil, err
	}
	t.incoming[t.rank] = t.outgoing[t.rank]
	copy(into[t.rank], send[t.rank])
	return t.filled.take(t.rank, into, t.incoming)
}
