package comm

// Transport joins the ranks of one job. Every method but Rank, Size, Nodes and SendRecv is collective: all ranks
// call it, in the same order, each from the one goroutine that its launcher started.
//
// After an error no further call will succeed; the rank should return, and its launcher ends the job.
type Transport interface {
	// Rank is this rank's number, 0 to Size()-1.
	Rank() int
	// Size is the number of ranks in the job.
	Size() int
	// Nodes returns the node of each rank. Nodes are numbered from 0 in the order of their first ranks.
	Nodes() []int
	// Barrier returns when every rank has called it.
	Barrier() error
	// AllReduce combines vals element by element over all ranks, in place. Slices are equally long everywhere.
	AllReduce(vals []int64, op Op) error
	// AllGather fills words, of length Size()*k on every rank: rank r brings [r*k, (r+1)*k) and gets the rest.
	AllGather(words []uint64) error
	// AllToAll sends send[r] to rank r and returns the message of each rank to this one, in the order of ranks. send
	// has Size() entries, which may be empty and of any length. The messages start at 8-byte boundaries and belong to
	// the transport: they are overwritten by the next AllToAll. send may be reused at once.
	AllToAll(send [][]byte) (recv [][]byte, err error)
	// AllToAllInto is AllToAll without memory of the transport: the message of rank r goes to the front of into[r],
	// and recv[r] is that part of into[r]. Only the slice recv itself belongs to the transport, until its next
	// AllToAllInto. No memory of send and into may be the same.
	//
	// It is an error, of the rank that gets it, if a message is longer than into[r]; all other messages arrive, and
	// ranks can still agree on the error.
	AllToAllInto(send, into [][]byte) (recv [][]byte, err error)
	// NeighbourAllToAll is AllToAll among ranks that know their neighbours (MPI 3.1, section 7.6): only the messages for
	// those in n.To go, also empty ones, and only ranks in n.From have sent one. A rank has another one in To exactly
	// if that has it in From. No rank is its own neighbour.
	NeighbourAllToAll(send [][]byte, n Neighbours) (recv [][]byte, err error)
	// SendRecv exchanges messages with one other rank, which calls it for this one at the same time; no other rank
	// takes part. Message i goes to the peer's recv[i], which has the same length. It returns when send may be reused
	// and recv is complete; if one rank sends no messages, its call may return before the peer's. It is for
	// measurements of single links.
	SendRecv(peer int, send, recv [][]byte) error
}

// Op says how AllReduce combines values.
type Op int

// The operations of AllReduce.
const (
	Sum Op = iota
	Min
	Max
)

// Reduce returns the combination of every rank's value. It is collective.
func Reduce(t Transport, value int64, op Op) (int64, error) {
	vals := []int64{value}
	err := t.AllReduce(vals, op)
	return vals[0], err
}

// combine sets into[i] to the combination of into[i] and vals[i].
func (op Op) combine(into, vals []int64) {
	for i, v := range vals {
		switch op {
		case Sum:
			into[i] += v
		case Min:
			into[i] = min(into[i], v)
		case Max:
			into[i] = max(into[i], v)
		}
	}
}
