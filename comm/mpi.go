// SPDX-License-Identifier: Apache-2.0

//go:build mpi && cgo

package comm

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"g500/internal/infile"
)

// MPI runs fn as this process's rank of the job that mpirun or srun started, and returns when all ranks have ended. It
// can be called once per process. Only the goroutine of fn uses the transport.
//
// If fn fails or panics, the rank prints the error and ends the whole job with MPI_Abort: MPI does not return. If fn
// fails on every rank with the error of Agree, the rank of the error prints it, all ranks finalise MPI, and MPI returns
// an error that wraps ErrAborted and fn's error. A rank ends its process after its launcher has ended.
func MPI(fn func(Transport) error) error {
	// One thread, this one, starts and finishes MPI. fn runs on other threads: bound to a thread, each parallel loop
	// would cost it 25 us instead of 1.5 us.
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

// CUDAAware reports whether messages may be in device memory: MPI runs, and its library reports that it is CUDA-aware.
func CUDAAware() bool { return mpiStarted() && libraryCUDAAware() }

// mpiCut is the largest number of 8-byte words of one MPI call, 1 GiB: MPI's counts are 32-bit integers, and some
// libraries count bytes in them. A variable for tests.
var mpiCut = 1 << 27

// reduceCut is the largest number of values of one MPI reduction, of which gompi needs a copy.
const reduceCut = 1 << 13

// mpiRank is the Transport of one process. It makes the calls of mpiWorld on MPI_COMM_WORLD, and the others on own, a
// duplicate that returns errors.
type mpiRank struct {
	world      *mpiWorld
	own        mpiComm
	rank, size int
	nodes      []int
	inbox      inbox
	outgoing   []int64    // bytes to each rank
	incoming   []int64    // bytes from each rank
	blocks     []uint64   // of AllReduce among few ranks
	others     Neighbours // all ranks but this one
	pieces     *mpiPieces // of AllToAllPieces; nil before the first
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
	if l := Launched(); l.Tasks > t.size {
		return nil, fmt.Errorf("comm: %s, but %s connects only %d: use %s", l.copies(), MPIVersion(), t.size, l.cure())
	}
	t.outgoing, t.incoming = make([]int64, t.size), make([]int64, t.size)
	t.others = allOthers(t.rank, t.size)
	if t.own, err = newMPIComm(); err != nil {
		return nil, err
	}
	t.nodes, err = t.findNodes()
	return t, err
}

// findNodes returns the node of each rank, numbered in the order of their lowest ranks, which the ranks exchange.
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

// finish ends the rank, and also the job if only this rank has failed.
func (t *mpiRank) finish(err error) error {
	if err == nil {
		return nil
	}
	var from *RankError
	agreed := errors.As(err, &from)
	if !agreed || from.Rank == t.rank {
		err = named(t.rank, t.size, err)
		if errors.As(err, &from) {
			from.Node, _ = os.Hostname()
		}
		text := fmt.Sprintf("g500: %v\n", err)
		_, _ = os.Stderr.Write(infile.CleanOutput([]byte(text))) // the exit status reports the failure in any case
	}
	if !agreed {
		time.Sleep(200 * time.Millisecond) // so that the launcher reads the message: MPI_Abort may lose it in the pipe
		t.world.Abort(1)
	}
	return fmt.Errorf("%w: %w", ErrAborted, err)
}

func (t *mpiRank) Rank() int      { return t.rank }
func (t *mpiRank) Size() int      { return t.size }
func (t *mpiRank) Nodes() []int   { return t.nodes }
func (t *mpiRank) Barrier() error { return t.world.barrier() }

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
		return t.gatherFew(words)
	}
	return t.own.allGather(words, t.size, max(1, mpiCut/t.size))
}

// AllToAll sends the messages without copies: MPI_Alltoallv would need them in one array, with 32-bit lengths. Few
// ranks find the lengths by probes. Many ranks, most of which send nothing to each other, exchange the lengths first,
// for which MPI needs a logarithmic number of steps.
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

// NeighbourAllToAll finds the lengths of messages by probes.
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
	return t.probed(send, n)
}

// probed exchanges messages with the lengths in outgoing. It does not copy this rank's message to itself.
func (t *mpiRank) probed(send [][]byte, among Neighbours) ([][]byte, error) {
	if err := t.own.probed(t.messages(send, nil), among, t.inbox.take); err != nil {
		return nil, err
	}
	return t.inbox.parts, nil
}

// messages returns the messages of a collective, with the lengths in outgoing and incoming.
func (t *mpiRank) messages(send, recv [][]byte) messages {
	return messages{t.rank, send, recv, t.outgoing, t.incoming, 8 * mpiCut}
}

// endOrphan ends this process after its parent, the launcher's process on this node: the remaining ranks would only
// wait for one another. In one of 39 failed jobs on two busy cores, MPICH's launcher ended before it had ended all
// ranks.
func endOrphan(parent int) {
	for os.Getppid() == parent {
		time.Sleep(time.Second)
	}
	os.Exit(1)
}
