//go:build mpi && cgo

package comm

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"
)

// HasMPI reports whether this program was built with MPI.
func HasMPI() bool { return true }

// MPI runs fn as this process's rank of the job that mpirun or srun started, and returns when all ranks have
// ended. It can be called once in a process. The transport is used by one goroutine at a time, fn's.
//
// A rank whose fn fails or panics says why on standard error and ends the whole job with MPI_Abort: MPI does not
// return. Where fn fails on every rank with the error that Agree gave it, the rank with the reason says it, all
// ranks leave in good order, and MPI returns an error that wraps ErrAborted and fn's error. A rank whose launcher has
// ended ends its process.
func MPI(fn func(Transport) error) error {
	// MPI is started and finished by one thread, this one. fn runs beside it on whatever threads Go takes:
	// bound to a thread it would pay some 25 us for every parallel loop that it waits for, 1.5 us when free.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	t, err := startMPI()
	if err != nil {
		return err
	}
	if t.size > 1 {
		go endOrphan(os.Getppid())
	}
	ended := make(chan error, 1)
	go guard(t, fn, func(err error) { ended <- t.finish(err) })
	err = <-ended
	stopMPI()
	return err
}

// CUDAAware reports whether messages may lie in device memory: where MPI runs and its library says that it is
// CUDA-aware.
func CUDAAware() bool { return mpiStarted() && libraryCUDAAware() }

// mpiCut is the number of 8-byte words that one MPI call may carry, 1 GiB: MPI counts in 32-bit integers, and
// libraries have been known to count bytes in them.
var mpiCut = 1 << 27

// reduceCut is the number of values that AllReduce combines at once. gompi wants them twice.
const reduceCut = 1 << 13

// mpiRank is the Transport of one process. What mpiWorld has goes through it, on MPI_COMM_WORLD; the rest goes through
// own, a duplicate that returns its errors.
type mpiRank struct {
	world      *mpiWorld
	own        mpiComm
	rank, size int
	nodes      []int
	inbox      inbox
	outgoing   []int64       // bytes for each rank
	incoming   []int64       // bytes from each rank
	rooms      []int64       // of AllToAllInto, in bytes for each rank
	blocks     []uint64      // of AllReduce among few ranks
	others     mpiNeighbours // all ranks but this one
	near       mpiNeighbours // of NeighbourAllToAll
	filled     filled
}

func startMPI() (*mpiRank, error) {
	if mpiStarted() {
		return nil, errors.New("comm: MPI can be started only once in a process")
	}
	yieldWhenIdle()
	if err := initMPI(); err != nil {
		return nil, err
	}
	world, err := newMPIWorld()
	if err != nil {
		return nil, err
	}
	t := &mpiRank{world: world}
	t.rank, t.size = t.world.Rank(), t.world.Size()
	if tasks, name := Launcher(); tasks > t.size {
		return nil, fmt.Errorf("comm: %s started %d copies of this program, but MPI joins only %d; "+
			"use the mpirun of %s, or %s", name, tasks, t.size, MPIVersion(), srunOfMPI)
	}
	t.outgoing, t.incoming, t.rooms = make([]int64, t.size), make([]int64, t.size), make([]int64, t.size)
	t.others = allOthers(t.rank, t.size)
	if t.own, err = newMPIComm(); err != nil {
		return nil, err
	}
	t.nodes, err = t.findNodes()
	return t, err
}

// findNodes numbers the nodes by the lowest rank of each, which every rank tells all others.
func (t *mpiRank) findNodes() ([]int, error) {
	lowest, err := t.own.lowestOnNode()
	if err != nil {
		return nil, err
	}
	for r := range t.outgoing {
		t.outgoing[r] = int64(lowest)
	}
	if err := t.own.allToAllCounts(t.outgoing, t.incoming); err != nil {
		return nil, err
	}
	nodes, known := make([]int, t.size), 0
	for r, lowest := range t.incoming {
		if int(lowest) == r {
			nodes[r] = known
			known++
		} else {
			nodes[r] = nodes[lowest]
		}
	}
	return nodes, nil
}

// finish ends the rank, and the job if the rank has failed on its own.
func (t *mpiRank) finish(err error) error {
	if err == nil {
		return nil
	}
	var told *RankError
	agreed := errors.As(err, &told)
	if !agreed || told.Rank == t.rank {
		fmt.Fprintf(os.Stderr, "g500: %v\n", named(t.rank, err))
	}
	if !agreed {
		time.Sleep(untilRead)
		t.world.Abort(1)
	}
	return fmt.Errorf("%w: %w", ErrAborted, err)
}

// untilRead is how long the launcher has for reading what a rank has said before the job ends. What is still in the
// pipe then may be lost.
const untilRead = 200 * time.Millisecond

func (t *mpiRank) Rank() int      { return t.rank }
func (t *mpiRank) Size() int      { return t.size }
func (t *mpiRank) Nodes() []int   { return t.nodes }
func (t *mpiRank) Barrier() error { return t.world.barrier() }
func (t *mpiRank) Release()       { t.inbox.release() }

func (t *mpiRank) AllReduce(vals []int64, op Op) error {
	if t.few(len(vals)) {
		return t.reduceFew(vals, op)
	}
	for len(vals) > 0 {
		part := vals[:min(len(vals), reduceCut, mpiCut)]
		if err := t.world.allReduce(part, op); err != nil {
			return fmt.Errorf("comm: AllReduce: %w", err)
		}
		vals = vals[len(part):]
	}
	return nil
}

func (t *mpiRank) AllGather(words []uint64) error {
	if len(words)%t.size != 0 {
		return fmt.Errorf("comm: AllGather of %d words does not divide among %d ranks", len(words), t.size)
	}
	if t.few(len(words) / t.size) {
		return t.tellAll(words)
	}
	return t.own.allGather(words, t.size, max(1, mpiCut/t.size))
}

// AllToAll sends from where the messages lie to where they shall be: MPI_Alltoallv would want them copied to one place
// first, and has no room for long messages. Among few ranks each message says its own length as it comes. Among many,
// of whom most have nothing for each other, all are told first how many bytes will come, for which MPI has a way that
// takes the logarithm of the ranks.
func (t *mpiRank) AllToAll(send [][]byte) ([][]byte, error) {
	if len(send) != t.size {
		return nil, fmt.Errorf("comm: AllToAll with %d messages for %d ranks", len(send), t.size)
	}
	for r, s := range send {
		t.outgoing[r] = int64(len(s))
	}
	if t.size <= fewRanks {
		t.incoming[t.rank] = t.outgoing[t.rank]
		recv, err := t.probed(send, t.others)
		if err == nil {
			copy(recv[t.rank], send[t.rank])
		}
		return recv, err
	}
	if err := t.own.allToAllCounts(t.outgoing, t.incoming); err != nil {
		return nil, err
	}
	recv := t.inbox.take(t.incoming)
	copy(recv[t.rank], send[t.rank])
	if err := t.own.exchange(t.messages(send, recv)); err != nil {
		return nil, err
	}
	return recv, nil
}

// NeighbourAllToAll has each message say its own length as it comes.
func (t *mpiRank) NeighbourAllToAll(send [][]byte, n Neighbours) ([][]byte, error) {
	if err := n.check(t.rank, len(send), t.size); err != nil {
		return nil, err
	}
	for r := range t.outgoing {
		t.outgoing[r], t.incoming[r] = 0, 0
	}
	for _, r := range n.To {
		t.outgoing[r] = int64(len(send[r]))
	}
	t.near.set(n)
	return t.probed(send, t.near)
}

// probed exchanges messages whose lengths are in outgoing. What this rank has for itself stays where it is.
func (t *mpiRank) probed(send [][]byte, among mpiNeighbours) ([][]byte, error) {
	if err := t.own.probed(t.messages(send, nil), among, t.inbox.take); err != nil {
		return nil, err
	}
	return t.inbox.parts, nil
}

// messages are those of a collective, whose lengths are in outgoing and incoming.
func (t *mpiRank) messages(send, recv [][]byte) messages {
	return messages{t.rank, send, recv, t.outgoing, t.incoming, 8 * mpiCut}
}
