package comm_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"g500/comm"
	"g500/comm/commtest"
	"g500/internal/expect"
)

// Large messages use the same code on any number of ranks.
func TestLoopback(t *testing.T) {
	commtest.Run(t, comm.Loopback, 3)
	commtest.RunShort(t, comm.Loopback, 1, 2, 4, 7)
}

func TestLoopbackNeedsRanks(t *testing.T) {
	if err := comm.Loopback(0, func(comm.Transport) error { return nil }); err == nil {
		t.Error("a job without ranks runs")
	}
}

var errPlanted = errors.New("planted fault")

// loopback runs ranks that must end within ten seconds.
func loopback(t *testing.T, n int, fn func(comm.Transport) error) error {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- comm.Loopback(n, fn) }()
	select {
	case err := <-ended:
		return err
	case <-time.After(10 * time.Second):
		t.Fatal("the job hangs")
		return nil
	}
}

// Ranks that disagree about being neighbours get an error; under MPI they would hang.
func TestLoopbackNeighboursAgree(t *testing.T) {
	for _, of1 := range []comm.Neighbours{{}, {To: []int{0}}, {From: []int{0, 2}}} {
		err := loopback(t, 3, func(t comm.Transport) error {
			near := comm.Neighbours{}
			switch t.Rank() {
			case 0:
				near = comm.Neighbours{To: []int{1}}
			case 1:
				near = of1
			}
			_, err := t.NeighbourAllToAll(make([][]byte, 3), near)
			return err
		})
		expect.Error(t, err, "disagree about being neighbours", "rank 1 has", of1)
	}
}

// A rank is not its own neighbour.
func TestLoopbackOwnNeighbour(t *testing.T) {
	for _, near := range []comm.Neighbours{{To: []int{1}}, {From: []int{1}}} {
		err := loopback(t, 2, func(t comm.Transport) error {
			of := comm.Neighbours{}
			if t.Rank() == 1 {
				of = near
			}
			_, err := t.NeighbourAllToAll(make([][]byte, 2), of)
			return err
		})
		expect.Error(t, err, "rank 1 cannot be a neighbour of rank 1", near)
	}
}

// collectives has all collectives.
var collectives = map[string]func(comm.Transport) error{
	"Barrier":   comm.Transport.Barrier,
	"AllReduce": func(t comm.Transport) error { return t.AllReduce([]int64{1}, comm.Sum) },
	"AllGather": func(t comm.Transport) error { return t.AllGather(make([]uint64, t.Size())) },
	"AllToAll": func(t comm.Transport) error {
		_, err := t.AllToAll(make([][]byte, t.Size()))
		return err
	},
	"NeighbourAllToAll": func(t comm.Transport) error {
		_, err := t.NeighbourAllToAll(make([][]byte, t.Size()), comm.Neighbours{})
		return err
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
				err := loopback(t, 4, func(tr comm.Transport) error {
					if tr.Rank() == 2 {
						return f.fail()
					}
					err := wait(tr)
					if !errors.Is(err, comm.ErrAborted) {
						t.Errorf("%s returns %v after another rank has failed", where, err)
					}
					if again := wait(tr); !errors.Is(again, comm.ErrAborted) {
						t.Errorf("the next %s returns %v", where, again)
					}
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
	if !errors.As(err, &from) || from.Rank != rank {
		t.Fatalf("the job ends with %v, want an error of rank %d", err, rank)
	}
	if strings.Count(err.Error(), reason) != 1 {
		t.Errorf("the job's reason is %q, want %q in it once", err, reason)
	}
}

// The stack of a panic is part of its reason.
func TestLoopbackPanicStack(t *testing.T) {
	err := loopback(t, 1, func(comm.Transport) error { return panicsHere() })
	wantReason(t, err, 0, "comm_test.panicsHere(")
}

//go:noinline
func panicsHere() error { panic("planted") }

// A failure ends the job also after successful rounds.
func TestLoopbackLateFailure(t *testing.T) {
	err := loopback(t, 3, func(tr comm.Transport) error {
		for round := 0; ; round++ {
			if tr.Rank() == 1 && round == 100 {
				return errPlanted
			}
			for _, where := range []string{"AllToAll", "AllReduce", "AllGather", "Barrier"} {
				if err := collectives[where](tr); err != nil {
					return err
				}
			}
		}
	})
	wantReason(t, err, 1, "planted fault")
}

// If all ranks fail, the job's error is that of one rank.
func TestLoopbackAllFail(t *testing.T) {
	err := loopback(t, 4, func(comm.Transport) error { return errPlanted })
	if !errors.Is(err, errPlanted) || strings.Count(err.Error(), "planted fault") != 1 {
		t.Errorf("the job ends with %v", err)
	}
}

func TestLoopbackAgreedFailure(t *testing.T) {
	err := loopback(t, 4, func(tr comm.Transport) error {
		var mine error
		if tr.Rank() >= 2 {
			mine = errPlanted
		}
		return comm.Agree(tr, mine)
	})
	wantReason(t, err, 2, "rank 2: planted fault")
	if strings.Count(err.Error(), "rank") != 1 {
		t.Errorf("the reason %q names several ranks", err)
	}
}

// Ranks that call different collectives are stopped.
func TestLoopbackOutOfStep(t *testing.T) {
	odd := map[string]func(comm.Transport) error{
		"another call":      comm.Transport.Barrier,
		"another length":    func(t comm.Transport) error { return t.AllReduce(make([]int64, 2), comm.Sum) },
		"another operation": func(t comm.Transport) error { return t.AllReduce(make([]int64, 1), comm.Max) },
		"the end":           func(comm.Transport) error { return nil },
	}
	for name, call := range odd {
		t.Run(name, func(t *testing.T) {
			err := loopback(t, 3, func(tr comm.Transport) error {
				if tr.Rank() == 1 {
					return call(tr)
				}
				return tr.AllReduce(make([]int64, 1), comm.Sum)
			})
			expect.Error(t, err, "out of step")
		})
	}
	err := loopback(t, 3, func(tr comm.Transport) error { return tr.AllGather(make([]uint64, 3*(1+tr.Rank()%2))) })
	expect.Error(t, err, "out of step")
}
