//go:build mpi && cgo

package comm

// SetMPICut lowers what one MPI call may carry, in words, until restore is called.
func SetMPICut(words int) (restore func()) {
	before := mpiCut
	mpiCut = words
	return func() { mpiCut = before }
}

// SetFewRanks sets up to how many ranks messages say their own lengths, until restore is called.
func SetFewRanks(ranks int) (restore func()) {
	before := fewRanks
	fewRanks = ranks
	return func() { fewRanks = before }
}

// ProbeBeyond does so where messages say their own lengths.
func ProbeBeyond(t Transport) error {
	m := t.(*mpiRank)
	m.size++
	m.outgoing, m.incoming = make([]int64, m.size), make([]int64, m.size)
	m.others = mpiNeighbours{to: []int32{int32(m.size - 1)}}
	_, err := m.AllToAll(make([][]byte, m.size))
	return err
}

// SendBeyond sends to a rank that does not exist, as no caller of a Transport can.
func SendBeyond(t Transport) error {
	m := t.(*mpiRank)
	send, lengths := make([][]byte, m.size+1), make([]int64, m.size+1)
	send[m.size], lengths[m.size] = []byte{1}, 1
	return m.own.exchange(messages{
		rank: m.rank, send: send, recv: make([][]byte, m.size+1),
		outgoing: lengths, incoming: make([]int64, m.size+1), cut: 8,
	})
}
