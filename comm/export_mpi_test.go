// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo

package comm

// MPICut is the largest number of words of one MPI call, FewRanks the largest number of ranks for collectives in one
// round.
var MPICut, FewRanks = &mpiCut, &fewRanks

// ProbeBeyond is SendBeyond for collectives in one round.
func ProbeBeyond(t Transport) error {
	m := t.(*mpiRank)
	m.size++
	m.outgoing, m.incoming = make([]int64, m.size), make([]int64, m.size)
	m.others = Neighbours{To: []int32{int32(m.size - 1)}}
	_, err := m.AllToAll(make([][]byte, m.size))
	return err
}

// SendBeyond sends to a rank that does not exist, which a caller of a Transport cannot do.
func SendBeyond(t Transport) error {
	m := t.(*mpiRank)
	send, lengths := make([][]byte, m.size+1), make([]int64, m.size+1)
	send[m.size], lengths[m.size] = []byte{1}, 1
	return m.own.exchange(messages{
		rank: m.rank, send: send, recv: make([][]byte, m.size+1),
		outgoing: lengths, incoming: make([]int64, m.size+1), cut: 8,
	})
}

// PieceThreads is the number of threads of AllToAllPieces.
func PieceThreads(t Transport) *int {
	m := t.(*mpiRank)
	if m.pieces == nil {
		m.pieces = m.newPieces()
	}
	return &m.pieces.workers
}
