// SPDX-License-Identifier: Apache-2.0

package comm_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"g500/comm"
	"g500/comm/commtest"
	"g500/internal/expect"
)

// Each transport passes the suite: those in this process here, MPI in TestMPI. Any number of ranks has one code.
func TestHostTransports(t *testing.T) {
	for _, h := range comm.HostTransports {
		if h.Tasks {
			expect.Equal(t, h.Name, "mpi", "no test runs the suite on this transport")
			continue
		}
		commtest.Run(t, h.Start, 3)
		commtest.RunShort(t, h.Start, 1, 2, 4, 7)
	}
}

func TestLoopbackNeedsRanks(t *testing.T) {
	expect.Error(t, comm.Loopback(0, func(comm.Transport) error { return nil }), "0 ranks; at least 1 is needed")
}

var errPlanted = errors.New("planted fault")

// collectives has all collectives.
var collectives = map[string]func(comm.Transport) error{
	"Barrier":   comm.Transport.Barrier,
	"AllReduce": func(t comm.Transport) error { return t.AllReduce([]int64{1}, comm.Sum) },
	"AllGather": func(t comm.Transport) error { return t.AllGather(make([]uint64, t.Size())) },
	"AllToAll":  func(t comm.Transport) error { return expect.Err(t.AllToAll(make([][]byte, t.Size()))) },
	"NeighbourAllToAll": func(t comm.Transport) error {
		return expect.Err(t.NeighbourAllToAll(make([][]byte, t.Size()), comm.Neighbours{}))
	},
	"AllToAllInto": func(t comm.Transport) error {
		messages := make([][]byte, t.Size())
		for r := range messages {
			messages[r] = []byte{0}
		}
		return t.AllToAllInto(messages, messages)
	},
}

// A failing rank ends the job in any collective of the others, and the job's error has its reason once.
func TestLoopbackFailure(t *testing.T) {
	failures := map[string]struct {
		fail   func() error
		reason string
	}{
		"error":  {func() error { return errPlanted }, "rank 2: planted fault"},
		"panic":  {func() error { panic(errPlanted) }, "rank 2: panic: planted fault"},
		"bounds": {func() error { return []error{}[len(collectives)] }, "rank 2: panic: runtime error: index out of range"},
		"exit":   {func() error { runtime.Goexit(); return nil }, "rank 2: a goroutine ended without returning"},
	}
	for how, f := range failures {
		for where, wait := range collectives {
			t.Run(how+"/"+where, func(t *testing.T) {
				err := comm.Loopback(4, func(tr comm.Transport) error {
					if tr.Rank() == 2 {
						return f.fail()
					}
					err := wait(tr)
					expect.That(t, errors.Is(err, comm.ErrAborted), "%s returns %v after another rank has failed", where, err)
					again := wait(tr)
					expect.That(t, errors.Is(again, comm.ErrAborted), "the next %s returns %v", where, again)
					return err
				})
				wantReason(t, err, 2, f.reason)
			})
		}
	}
}

func wantReason(t *testing.T, err error, rank int, reason string) {
	t.Helper()
	var from *comm.RankError
	expect.Must(t, errors.As(err, &from) && (rank < 0 || from.Rank == rank),
		"the job ends with %v, want an error of rank %d", err, rank)
	whole := strings.HasPrefix(reason, fmt.Sprintf("rank %d: ", rank)) // which is named once
	expect.That(t, strings.Count(err.Error(), reason) == 1 && (!whole || strings.HasPrefix(err.Error(), reason)),
		"the job's reason is %q, want %q in it once", err, reason)
}

//go:noinline
func panicsHere() error { panic("planted") }

// onRank calls one function on a rank and another on the others.
func onRank(rank int, call, others func(comm.Transport) error) func(comm.Transport) error {
	return func(t comm.Transport) error {
		if t.Rank() == rank {
			return call(t)
		}
		return others(t)
	}
}

// lengths exchanges messages into buffers of two bytes. Rank 0 sends a message of another length to a rank.
func lengths(to, bytes int) func(comm.Transport) error {
	return func(t comm.Transport) error {
		send, into := [][]byte{make([]byte, 2), make([]byte, 2)}, [][]byte{make([]byte, 2), make([]byte, 2)}
		if t.Rank() == 0 {
			send[to] = make([]byte, bytes)
		}
		return t.AllToAllInto(send, into)
	}
}

func exchange[T comm.Word](sizes ...int) func(comm.Transport) error {
	return func(t comm.Transport) error {
		send := make([][]T, len(sizes))
		for r, n := range sizes {
			send[r] = make([]T, n)
		}
		return expect.Err(comm.Exchange(t, send))
	}
}

// The job's error has the reason of a fault once, with the rank, unless several ranks differ.
func TestLoopbackFaults(t *testing.T) {
	sum := func(t comm.Transport) error { return t.AllReduce(make([]int64, 1), comm.Sum) }
	of := func(to, from []int32) func(comm.Transport) error {
		return func(t comm.Transport) error {
			return expect.Err(t.NeighbourAllToAll(make([][]byte, t.Size()), comm.Neighbours{To: to, From: from}))
		}
	}
	const step, apart = "out of step", "disagree about being neighbours"
	for _, c := range []struct {
		meaning string
		ranks   int
		fn      func(comm.Transport) error
		rank    int // -1 for any
		reason  string
	}{
		{"the stack of a panic", 1, func(comm.Transport) error { return panicsHere() }, 0, "comm_test.panicsHere("},
		{"all ranks fail", 4, func(comm.Transport) error { return errPlanted }, -1, errPlanted.Error()},
		{"agreed", 4, func(t comm.Transport) error {
			if t.Rank() >= 2 {
				return comm.Agree(t, errPlanted)
			}
			return comm.Agree(t, nil)
		}, 2, "rank 2: planted fault"},
		{"after a hundred rounds", 3, func(t comm.Transport) error {
			for round := 0; ; round++ {
				if t.Rank() == 1 && round == 100 {
					return errPlanted
				}
				for _, where := range []string{"AllToAll", "AllReduce", "AllGather", "Barrier"} {
					if err := collectives[where](t); err != nil {
						return err
					}
				}
			}
		}, 1, "planted fault"},
		{"another call", 3, onRank(1, comm.Transport.Barrier, sum), -1, step},
		{"another length", 3, onRank(1, func(t comm.Transport) error { return t.AllReduce(make([]int64, 2), comm.Sum) },
			sum), -1, step},
		{"another operation", 3, onRank(1, func(t comm.Transport) error { return t.AllReduce(make([]int64, 1), comm.Max) },
			sum), -1, step},
		{"the end", 3, onRank(1, func(comm.Transport) error { return nil }, sum), -1, step},
		{"gathered lengths", 3, func(t comm.Transport) error { return t.AllGather(make([]uint64, 3*(1+t.Rank()%2))) },
			-1, step},
		// Under MPI ranks that disagree would hang.
		{"no neighbour", 3, onRank(0, of([]int32{1}, nil), of(nil, nil)), -1, apart},
		{"a neighbour in one direction", 3, onRank(0, of([]int32{1}, nil), onRank(1, of([]int32{0}, nil), of(nil, nil))),
			-1, apart},
		{"a neighbour too many", 3, onRank(0, of([]int32{1}, nil), onRank(1, of(nil, []int32{0, 2}), of(nil, nil))), -1,
			apart},
		{"to itself", 2, onRank(1, of([]int32{1}, nil), of(nil, nil)), -1, "rank 1 cannot be a neighbour of rank 1"},
		{"from itself", 2, onRank(1, of(nil, []int32{1}), of(nil, nil)), -1, "rank 1 cannot be a neighbour of rank 1"},
		{"words of another size", 2, onRank(0, exchange[uint32](2, 3), exchange[uint64](1, 1)), 1,
			"rank 0 sent 12 bytes, not a multiple of 8"},
		{"a longer message", 2, lengths(1, 3), 1, "comm: rank 0 sent 3 bytes to rank 1, whose buffer has 2"},
		{"a shorter message", 2, lengths(1, 1), 1, "comm: rank 0 sent 1 bytes to rank 1, whose buffer has 2"},
		{"a longer message to itself", 2, lengths(0, 3), 0, "comm: rank 0 sent 3 bytes to rank 0, whose buffer has 2"},
	} {
		t.Run(c.meaning, func(t *testing.T) {
			err := comm.Loopback(c.ranks, c.fn)
			wantReason(t, err, c.rank, c.reason)
			expect.That(t, c.reason != errPlanted.Error() || errors.Is(err, errPlanted),
				"the job's reason is %v, want the rank's own error in it", err)
		})
	}
}

// Wrapped transports pass the suite.
func TestWrappersPassTheSuite(t *testing.T) {
	for name, wrap := range map[string]func(comm.Transport) comm.Transport{
		"abandonable": func(t comm.Transport) comm.Transport { return comm.Abandonable(t, func() bool { return false }) },
		"counted":     func(t comm.Transport) comm.Transport { return comm.Counted(t, new(atomic.Int64)) },
	} {
		t.Run(name, func(t *testing.T) {
			commtest.RunShort(t, func(n int, rank func(comm.Transport) error) error {
				return comm.Loopback(n, func(t comm.Transport) error { return rank(wrap(t)) })
			}, 3)
		})
	}
}

// The outermost transport that reports progress gets it: no chain of wrappers hides an optional interface, because they
// embed comm.Wrapper (internal/repolint).
func TestAdvancingReports(t *testing.T) {
	var got []int64
	err := comm.Loopback(1, func(tr comm.Transport) error {
		tr = comm.Advancing(tr, func(int64, int64) { t.Error("the inner transport reports") })
		tr = comm.Advancing(tr, func(done, total int64) { got = append(got, done, total) })
		tr = comm.Abandonable(comm.EmulateNodes(tr, []int{0}), func() bool { return false })
		comm.Advance(comm.Counted(tr, new(atomic.Int64)), 3, 8)
		return nil
	})
	expect.That(t, err == nil && slices.Equal(got, []int64{3, 8}), "%v, %v", got, err)
}

// If one rank abandons the work, the same AllReduce returns the error on all ranks, and the transport remains usable.
func TestAllRanksAbandonAtTheSameCall(t *testing.T) {
	for _, op := range []comm.Op{comm.Sum, comm.Min, comm.Max} {
		expect.NoError(t, comm.Loopback(3, func(t comm.Transport) error {
			call, abandoned := 0, false
			a := comm.Abandonable(t, func() bool { return t.Rank() == 1 && call >= 2 && !abandoned })
			for ; call < 4; call++ {
				vals := []int64{7}
				err := a.AllReduce(vals, op)
				if abandoned = abandoned || err != nil; errors.Is(err, comm.ErrAbandoned) != (call == 2) || vals[0] == 0 {
					return fmt.Errorf("call %d: %v, %d", call, err, vals)
				}
			}
			return a.Barrier()
		}), "operation", op)
	}
}
