// SPDX-License-Identifier: Apache-2.0

package comm

import "fmt"

// Transport connects the ranks of one job. Every method except Rank, Size, Nodes and AllToAllPieces is collective: all
// ranks call it, in the same order, each from the goroutine that its launcher started.
//
// After an error no further call succeeds; the rank should return, and its launcher ends the job.
type Transport interface {
	// Rank returns this rank's number, 0 to Size()-1.
	Rank() int
	// Size returns the number of ranks in the job.
	Size() int
	// Nodes returns the node of each rank. Nodes are numbered from 0 in the order of their first ranks.
	Nodes() []int
	// Barrier returns when every rank has called it.
	Barrier() error
	// AllReduce combines vals element by element over all ranks, in place. Slices are equally long everywhere.
	AllReduce(vals []int64, op Op) error
	// AllGather fills words, of length Size()*k on every rank, with the parts [r*k, (r+1)*k) of all ranks r.
	AllGather(words []uint64) error
	// AllToAll sends send[r] to rank r and returns the message of each rank r to this rank in recv[r]. send has Size()
	// entries of any length, also empty ones; it may be reused at once. The received messages start at 8-byte
	// boundaries; they belong to the transport, whose next AllToAll overwrites them.
	AllToAll(send [][]byte) (recv [][]byte, err error)
	// AllToAllInto is AllToAll into buffers of the caller: into[r] is filled with the message of rank r, which has the
	// same length. send and into must not overlap.
	AllToAllInto(send, into [][]byte) error
	// AllToAllPieces exchanges messages between this rank and others that are made, and consumed, in pieces: while pieces
	// are on their way, p makes later ones and consumes earlier ones. It returns when all have arrived and are sent. It
	// polls p and never waits. Ranks without pieces need not call it.
	AllToAllPieces(p Pieces) error
	// NeighbourAllToAll is AllToAll among neighbours (MPI 3.1, section 7.6): this rank sends messages, also empty ones,
	// only to the ranks in n.To, and receives them only from the ranks in n.From. Rank a has b in To if and only if b
	// has a in From. No rank is its own neighbour.
	NeighbourAllToAll(send [][]byte, n Neighbours) (recv [][]byte, err error)
}

// Op is an operation of AllReduce.
type Op int

// The operations of AllReduce.
const (
	Sum Op = iota
	Min
	Max
)

// Reduce returns the combination of the values of all ranks. It is collective.
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

// Neighbours are the ranks to which a rank sends, and the ranks that send to it, in MPI's type of ranks.
type Neighbours struct{ To, From []int32 }

// check returns an error if there is not one message per rank, or if a rank cannot be a neighbour.
func (n Neighbours) check(rank, messages, ranks int) error {
	if messages != ranks {
		return fmt.Errorf("comm: NeighbourAllToAll with %d messages for %d ranks", messages, ranks)
	}
	for _, some := range [][]int32{n.To, n.From} {
		for _, r := range some {
			if r < 0 || int(r) >= ranks || int(r) == rank {
				return fmt.Errorf("comm: rank %d cannot be a neighbour of rank %d of %d", r, rank, ranks)
			}
		}
	}
	return nil
}
