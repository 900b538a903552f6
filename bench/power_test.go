package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/internal/power"
	"g500/internal/power/powertest"
	"g500/record"
)

// powered runs scale 10 and measures power for a second of simulated time, in which searches take a millisecond and all
// other work takes no time. meters returns the meters of a rank.
func powered(t *testing.T, ctx context.Context, ranks int, change func(*Setup),
	meters func(rank int) ([]power.Meter, error)) (run *record.Run) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		runs, err := onRanks(ctx, ranks, func(rank int) Setup {
			s := hybrid(config(10))
			s.Config.Search.Power, s.Config.Search.PowerSeconds = true, 1
			s.wrapTrees(func(_ comm.Transport, e bfs.Engine) bfs.Engine { return paced(e, time.Millisecond) })
			s.Backend.Meters = func() ([]power.Meter, error) { return meters(rank) }
			change(&s)
			return s
		})
		if err != nil {
			t.Fatal(err)
		}
		run = runs[0]
	})
	return run
}

func unchanged(*Setup) {}

// Two ranks have a GPU of 100 W each and share a node of 50 W. Each device counts once, so that a search of 1 ms takes
// 0.25 J. Meters do not change the times of the searches.
func TestPowerCountsEachDeviceOnce(t *testing.T) {
	var mu sync.Mutex // ranks open their meters at once
	var opened []*powertest.Fake
	run := powered(t, context.Background(), 2, unchanged, func(rank int) ([]power.Meter, error) {
		card := &powertest.Fake{Name: fmt.Sprint("GPU ", rank), Watts: 100, Update: 20 * time.Millisecond}
		host := &powertest.Fake{Name: "host", Watts: 50, Update: time.Millisecond}
		mu.Lock()
		defer mu.Unlock()
		opened = append(opened, card, host)
		return []power.Meter{card, host}, nil
	})
	p := run.Kernels[0].Power
	if run.Status != record.Valid || p == nil || p.Refused != "" {
		t.Fatalf("status %s, power %+v", run.Status, p)
	}
	near := func(name string, got, want float64) {
		if math.Abs(got-want) > 1e-6*want {
			t.Errorf("%s is %g, want %g", name, got, want)
		}
	}
	near("power", p.Watts, 250)
	near("energy of a search", p.JoulesPerSearch, 0.25)
	near("rate", p.TEPSPerWatt, 16239/0.25)
	near("time", p.Seconds, 1.024) // whole rounds of 64 ms
	if p.Searches != 1024 || len(p.Meters) != 3 || p.PeriodSeconds != 0.01 {
		t.Errorf("%d searches, %d meters, a reading each %g s", p.Searches, len(p.Meters), p.PeriodSeconds)
	}
	for _, m := range p.Meters {
		if m.Updates < 48 || m.Reads < 100 || m.RelativeError <= 0 || m.RelativeError > 0.02 {
			t.Errorf("meter %s: %+v", m.Source, m)
		}
	}
	for _, m := range opened {
		if !m.Closed {
			t.Errorf("meter %s was left open", m.Name)
		}
	}
	for _, s := range run.Kernels[0].Searches {
		if s.Seconds != 0.001 {
			t.Errorf("search %d took %g s", s.Key, s.Seconds)
		}
	}
	if run.Done() != 64 {
		t.Errorf("%d searches", run.Done())
	}
}

// A run without a figure is valid, and has the reason.
func TestPowerThatIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes minutes for it")
	}
	interrupted, interrupt := context.WithCancel(context.Background())
	steady := func(int) ([]power.Meter, error) {
		return []power.Meter{&powertest.Fake{Name: "host", Watts: 50, Update: time.Millisecond}}, nil
	}
	for _, c := range []struct {
		meaning string
		ctx     context.Context
		change  func(*Setup)
		meters  func(rank int) ([]power.Meter, error)
		want    string
	}{
		{"a meter that is missing on one rank", context.Background(), unchanged, func(rank int) ([]power.Meter, error) {
			if rank == 1 {
				return nil, errors.New("power: no counters here")
			}
			return steady(rank)
		}, "no counters here (rank 1)"},
		{"a meter that is too slow", context.Background(), unchanged, func(rank int) ([]power.Meter, error) {
			return []power.Meter{&powertest.Fake{Name: fmt.Sprint(rank), Update: 100 * time.Millisecond, Watts: 1}}, nil
		}, "fake meter 0: the meter changed 10 times in 103 readings, " +
			"and a result needs at least 20 changes"},
		{"a meter that fails", context.Background(), unchanged, func(rank int) ([]power.Meter, error) {
			return []power.Meter{&powertest.Fake{Name: fmt.Sprint(rank), Update: time.Millisecond,
				Fault: errors.New("no answer")}}, nil
		}, "fake meter 0: no answer (rank 0)"},
		{"a backend without meters", context.Background(), func(s *Setup) { s.Backend.Meters = nil }, steady,
			"engine cpu has no meters (rank 0)"},
		{"a signal after the last search", interrupted, func(s *Setup) {
			s.Watch = signalling{Silent{}, interrupt}
		}, steady, record.Interrupted},
		{"a tree that is wrong by then", context.Background(), func(s *Setup) {
			s.wrapTrees(func(_ comm.Transport, e bfs.Engine) bfs.Engine { return rootless(e, 65) })
		}, steady, "the last result breaks a rule: "},
	} {
		run := powered(t, c.ctx, 2, c.change, c.meters)
		p := run.Kernels[0].Power
		if p == nil || !strings.HasPrefix(p.Refused, c.want) || p.Watts != 0 || p.TEPSPerWatt != 0 {
			t.Errorf("%s: %+v, want %q", c.meaning, p, c.want)
		}
		if run.Status != record.Valid || run.Done() != 64 {
			t.Errorf("%s: the run is %s (%s)", c.meaning, run.Status, run.Reason)
		}
	}
}

// signalling sends a signal when the measurement of power begins.
type signalling struct {
	Silent
	interrupt func()
}

func (s signalling) Step(name string, _ int64) {
	if name == "power" {
		s.interrupt()
	}
}

// rootless returns the engine with trees without a root after that many good searches.
func rootless(e bfs.Engine, good int) bfs.Engine {
	return searching[bfs.Tree]{e, func(root graph.Global) (bfs.Tree, error) {
		tree, err := e.Search(root)
		if good--; err != nil || good >= 0 {
			return tree, err
		}
		parents, err := tree.Parents()
		for l := range parents {
			parents[l] = graph.NoParent
		}
		return bfs.HostTree(parents), err
	}}
}

// Without --power, the run opens no meters.
func TestPowerIsOffByDefault(t *testing.T) {
	run := powered(t, context.Background(), 1, func(s *Setup) { s.Config.Search.Power = false },
		func(int) ([]power.Meter, error) {
			t.Error("a meter was opened")
			return nil, nil
		})
	if run.Kernels[0].Power != nil {
		t.Errorf("%+v", run.Kernels[0].Power)
	}
}

// Power is measured when a run is complete.
func TestPowerOfAResumedRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	meters := func(int) ([]power.Meter, error) {
		return []power.Meter{&powertest.Fake{Name: "host", Watts: 50, Update: time.Millisecond}}, nil
	}
	ctx, interrupt := context.WithCancel(context.Background())
	first := powered(t, ctx, 1, func(s *Setup) {
		s.Config.Output.Dir = dir
		s.Watch = &signalAfter{interrupt: interrupt, searches: 10}
	}, meters)
	if first.Status != record.Incomplete || first.Kernels[0].Power != nil {
		t.Fatalf("status %s, power %+v", first.Status, first.Kernels[0].Power)
	}
	second := powered(t, context.Background(), 1, func(s *Setup) {
		s.Earlier = resuming(t, dir).Earlier
		s.Config = *s.Earlier.Config
	}, meters)
	if p := second.Kernels[0].Power; second.Status != record.Valid || p == nil || math.Abs(p.Watts-50) > 1e-6 {
		t.Errorf("status %s, power %+v", second.Status, p)
	}
}

// Power is measured for each kernel, after the timed searches of both.
func TestPowerOfEachKernel(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes minutes for it")
	}
	for _, kernel := range []string{"both", "sssp"} {
		synctest.Test(t, func(t *testing.T) {
			got, err := pacedBoth(func(s *Setup) {
				s.Config.Search.Kernel, s.Config.Search.Power, s.Config.Search.PowerSeconds = kernel, true, 1
				s.Backend.Meters = func() ([]power.Meter, error) {
					return []power.Meter{&powertest.Fake{Name: "card", Watts: 100, Update: 20 * time.Millisecond}}, nil
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range got.Kernels {
				if k.Power == nil || k.Power.Refused != "" {
					t.Fatalf("kernels %s: power of %s %+v", kernel, k.Kernel, k.Power)
				}
			}
			paths := got.KernelRun(record.SSSP).Power
			if n := paths.Searches; n < 300 || n > 450 { // three milliseconds each, for a second, in rounds of 64
				t.Errorf("kernels %s: %d searches while power was measured", kernel, n)
			}
			if bfs := got.KernelRun(record.BFS); bfs != nil && bfs.Power.TEPSPerWatt < 2*paths.TEPSPerWatt {
				t.Errorf("BFS is three times as fast, and has %g TEPS/W instead of %g", bfs.Power.TEPSPerWatt, paths.TEPSPerWatt)
			}
		})
	}
}
