//go:build mpi && cgo

package comm

// AllToAllInto leaves it to the library how a rank learns the lengths of what comes.
func (t *mpiRank) AllToAllInto(send, into [][]byte) ([][]byte, error) {
	if err := checkInto(send, into, t.size); err != nil {
		return nil, err
	}
	for r := range send {
		t.outgoing[r], t.rooms[r] = int64(len(send[r])), int64(len(into[r]))
	}
	if err := t.own.swap(t.messages(send, into), t.rooms); err != nil {
		return nil, err
	}
	t.incoming[t.rank] = t.outgoing[t.rank]
	copy(into[t.rank], send[t.rank])
	return t.filled.take(t.rank, into, t.incoming)
}
