// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo

package comm

// AllToAllInto moves messages as pieces, each as long as one MPI call permits.
func (t *mpiRank) AllToAllInto(send, into [][]byte) error {
	if err := checkInto(send, into, t.rank, t.size); err != nil {
		return err
	}
	copy(into[t.rank], send[t.rank])
	return t.AllToAllPieces(messagesInto{send, into})
}

// messagesInto are messages and their destinations, by rank.
type messagesInto struct{ send, into [][]byte }

func pieceOf(message []byte, i int) []byte {
	return message[8*mpiCut*i : min(8*mpiCut*(i+1), len(message))]
}

func (m messagesInto) Counts(rank int) (sent, received int) {
	count := func(message []byte) int { return (len(message) + 8*mpiCut - 1) / (8 * mpiCut) }
	return count(m.send[rank]), count(m.into[rank])
}

func (m messagesInto) Enter() (leave func(), err error) { return func() {}, nil }
func (m messagesInto) Out(rank, i int) ([]byte, error)  { return pieceOf(m.send[rank], i), nil }
func (m messagesInto) In(rank, i int) ([]byte, error)   { return pieceOf(m.into[rank], i), nil }
func (m messagesInto) Arrived(int, int) error           { return nil }
