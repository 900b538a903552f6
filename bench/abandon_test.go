// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/comm/commtest"
	"g500/graph"
	"g500/internal/expect"
	"g500/internal/panics"
	"g500/record"
	"g500/sssp"
)

// endlessAfter is a setup whose searches do not end after the given number, which includes the warm-up. Each level of
// an endless search calls begun.
func endlessAfter(searches int, begun func(rank int)) Setup {
	s := hybrid(config(8))
	s.wrapTrees(func(t comm.Transport, e bfs.Engine) bfs.Engine {
		left := searches
		return searching[bfs.Tree]{e, func(root graph.Global) (bfs.Tree, error) {
			if left--; left >= 0 {
				return e.Search(root)
			}
			return nil, endless(t, begun)
		}}
	})
	return s
}

// endless calls begun again and again until the work is abandoned.
func endless(t comm.Transport, begun func(rank int)) error {
	for {
		begun(t.Rank())
		if err := t.AllReduce([]int64{1}, comm.Max); err != nil {
			return err
		}
	}
}

// A search that is overdue on one rank is abandoned on all ranks. The run keeps earlier searches and can be resumed.
func TestOverdueSearchIsAbandoned(t *testing.T) {
	for _, ranks := range []int{1, 3} {
		ctx, stop := context.WithCancel(context.Background())
		overdue, abandon := context.WithCancel(context.Background())
		var levels atomic.Int64
		s := endlessAfter(4, func(rank int) {
			switch {
			case rank != ranks-1:
			case levels.Add(1) < 10: // a signal alone abandons no search
				stop()
			default:
				abandon()
			}
		})
		s.Overdue = overdue
		s.Config.Output.Dir = t.TempDir() + "/out"
		got, err := run(ctx, ranks, s)
		if err != nil || got.Status != record.Incomplete || got.Failure != record.Interrupted || got.Done() != 3 {
			t.Fatalf("%d ranks: %v, %s, %d searches", ranks, err, got.Verdict(), got.Done())
		}
		again := resuming(t, s.Config.Output.Dir)
		if again.Earlier.Done() != 3 {
			t.Fatalf("%d searches on disk", again.Earlier.Done())
		}
		if got, err := run(context.Background(), ranks, again); err != nil || got.Status != record.Valid {
			t.Errorf("%d ranks, resumed: %v, %s", ranks, err, got.Verdict())
		}
	}
}

// Work outside searches is abandoned at the signal.
func TestKernel1IsAbandonedAtOnce(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	s := hybrid(config(8))
	s.Backend.Kernel1 = func(t comm.Transport, _ graph.Tuples) (bfs.Engine, error) {
		return nil, endless(t, func(rank int) {
			if rank == 1 {
				stop()
			}
		})
	}
	wantInterrupted(t, ctx, 2, s)
}

// wantInterrupted runs a setup and checks that an interruption ends the run.
func wantInterrupted(t *testing.T, ctx context.Context, ranks int, s Setup) {
	t.Helper()
	got, err := run(ctx, ranks, s)
	if err != nil || got.Status != record.Incomplete || got.Failure != record.Interrupted {
		t.Errorf("%s, %s, %d ranks: %v, %s", s.Backend.Name, s.Config.Search.Kernel, ranks, err, got.Verdict())
	}
}

// A signal before the run begins leaves no result, and all ranks return the reason.
func TestSignalBeforeTheRun(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	expect.Error(t, expect.Err(run(ctx, 3, hybrid(config(8)))), record.Interrupted)
}

// abandoner is an engine whose Abandon ends its search.
type abandoner struct {
	bfs.Engine
	begun     func()
	abandoned chan struct{}
	fault     error // Abandon panics with it, nil for none
}

func (e *abandoner) Abandon() {
	close(e.abandoned)
	panics.Raise(e.fault)
}

func (e *abandoner) Search(graph.Global) (bfs.Tree, error) {
	e.begun()
	<-e.abandoned
	return nil, comm.ErrAbandoned
}

// Abandon is called on an engine that does not wait for its transport. If it panics, the run fails.
func TestAbandonerIsCalled(t *testing.T) {
	overdue, abandon := context.WithCancel(context.Background())
	with := func(fault error) Setup {
		s := hybrid(config(8))
		s.Overdue = overdue
		s.wrapTrees(func(_ comm.Transport, e bfs.Engine) bfs.Engine {
			return &abandoner{e, abandon, make(chan struct{}), fault}
		})
		return s
	}
	wantInterrupted(t, context.Background(), 2, with(nil))
	if _, err := run(context.Background(), 2, with(commtest.ErrPlanted)); !errors.Is(err, commtest.ErrPlanted) {
		t.Errorf("a panic of Abandon: error %v", err)
	}
}

// Every engine on CPUs ends an overdue search, on any number of ranks.
func TestEnginesAbandonTheirSearches(t *testing.T) {
	overdue, abandon := context.WithCancel(context.Background())
	abandon()
	for _, backend := range []Backend{
		CPU("cpu", bfs.NewHybrid(2), sssp.NewSearch(2), 2), CPU("topdown", bfs.NewTopDown, sssp.NewBellmanFord, 2),
	} {
		for _, kernel := range []string{"bfs", "sssp"} {
			for _, ranks := range []int{1, 3} {
				s := hybrid(configOf(kernel, 8))
				s.Backend = backend
				s.Overdue = overdue
				wantInterrupted(t, context.Background(), ranks, s)
			}
		}
	}
}
