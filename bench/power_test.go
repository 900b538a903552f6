// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/internal/expect"
	"g500/internal/power"
	"g500/internal/power/powertest"
	"g500/record"
)

// powered measures power for a second, by default with a meter of 50 W for the node.
func powered(t *testing.T, ctx context.Context, ranks int, change func(rank int, s *Setup)) *record.Run {
	t.Helper()
	return inSimulatedTime(t, ctx, ranks, func(rank int, s *Setup) {
		s.Config.Search.Power, s.Config.Search.PowerSeconds = true, 1
		s.metered(powertest.Fake{Name: "host", Watts: 50, Update: time.Millisecond})
		change(rank, s)
	})
}

// metered sets a rank's only meter.
func (s *Setup) metered(m powertest.Fake) {
	s.Backend.Meters = func() ([]power.Meter, error) { return []power.Meter{&m}, nil }
}

// Two ranks have a GPU of 100 W each and share a node of 50 W. Each device counts once, so that a search of 1 ms takes
// 0.25 J. Meters do not change the times of the searches.
func TestPowerCountsEachDeviceOnce(t *testing.T) {
	var mu sync.Mutex // ranks open their meters at once
	var opened []*powertest.Fake
	run := powered(t, context.Background(), 2, func(rank int, s *Setup) {
		s.Backend.Meters = func() ([]power.Meter, error) {
			card := &powertest.Fake{Name: fmt.Sprint("GPU ", rank), Watts: 100, Update: 20 * time.Millisecond}
			host := &powertest.Fake{Name: "host", Watts: 50, Update: time.Millisecond}
			mu.Lock()
			defer mu.Unlock()
			opened = append(opened, card, host)
			return []power.Meter{card, host}, nil
		}
	})
	p := run.Kernels[0].Power
	if run.Status != record.Valid || run.Done() != 64 || p == nil || p.Refused != "" {
		t.Fatalf("status %s, %d searches, power %+v", run.Status, run.Done(), p)
	}
	for name, c := range map[string][2]float64{
		"power": {p.Watts, 250}, "energy of a search": {p.JoulesPerSearch, 0.25}, "rate": {p.TEPSPerWatt, 16239 / 0.25},
		"time": {p.Seconds, 1.024}, // whole rounds of 64 ms
	} {
		if got, want := c[0], c[1]; math.Abs(got-want) > 1e-6*want {
			t.Errorf("%s is %g, want %g", name, got, want)
		}
	}
	if p.Searches != 1024 || len(p.Meters) != 3 || p.PeriodSeconds != 0.01 {
		t.Errorf("%d searches, %d meters, a reading each %g s", p.Searches, len(p.Meters), p.PeriodSeconds)
	}
	for _, m := range p.Meters {
		if m.Updates < 48 || m.Reads < 100 || m.RelativeError <= 0 || m.RelativeError > 0.02 {
			t.Errorf("meter %s: %+v", m.Source, m)
		}
	}
	for _, m := range opened {
		expect.Equal(t, m.Closed, true, m.Name)
	}
	for _, s := range run.Kernels[0].Searches {
		expect.Equal(t, s.Seconds, 0.001, "search", s.Key)
	}
}

// A run without a figure is valid, and has the reason.
func TestPowerThatIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes minutes for it")
	}
	interrupted, interrupt := context.WithCancel(context.Background())
	for _, c := range []struct {
		meaning string
		change  func(rank int, s *Setup)
		want    string
	}{
		{"a meter that is missing on one rank", func(rank int, s *Setup) {
			if rank == 1 {
				s.Backend.Meters = func() ([]power.Meter, error) { return nil, errors.New("no counters here") }
			}
		}, "no counters here (rank 1)"},
		{"a meter that is too slow", func(rank int, s *Setup) {
			s.metered(powertest.Fake{Name: fmt.Sprint(rank), Update: 100 * time.Millisecond, Watts: 1})
		}, "fake meter 0: the meter changed 10 times in 103 readings, and a result needs at least 20 changes"},
		{"a meter that fails", func(rank int, s *Setup) {
			s.metered(powertest.Fake{Name: fmt.Sprint(rank), Update: time.Millisecond, Fault: errors.New("no answer")})
		}, "fake meter 0: no answer (rank 0)"},
		{"a backend without meters", func(_ int, s *Setup) { s.Backend.Meters = nil }, "engine cpu has no meters (rank 0)"},
		{"a signal after the last search", func(_ int, s *Setup) { s.Watch = signalling{Silent{}, interrupt} },
			record.Interrupted},
		{"a tree that is wrong by then", func(_ int, s *Setup) {
			s.wrapTrees(func(_ comm.Transport, e bfs.Engine) bfs.Engine { return rootless(e, 65) })
		}, "the last result breaks a rule: "},
	} {
		ctx := context.Background()
		if c.want == record.Interrupted {
			ctx = interrupted
		}
		run := powered(t, ctx, 2, c.change)
		p := run.Kernels[0].Power
		if p == nil || !strings.HasPrefix(p.Refused, c.want) || p.Watts != 0 || p.TEPSPerWatt != 0 {
			t.Errorf("%s: %+v, want %q", c.meaning, p, c.want)
		}
		if run.Status != record.Valid || run.Done() != 64 {
			t.Errorf("%s: %s", c.meaning, run.Verdict())
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
	run := powered(t, context.Background(), 1, func(_ int, s *Setup) {
		s.Config.Search.Power = false
		s.Backend.Meters = func() ([]power.Meter, error) { t.Error("a meter was opened"); return nil, nil }
	})
	expect.Equal(t, run.Kernels[0].Power, nil)
}

// Power is measured when a run is complete.
func TestPowerOfAResumedRun(t *testing.T) {
	dir := t.TempDir()
	ctx, interrupt := context.WithCancel(context.Background())
	first := powered(t, ctx, 1, func(_ int, s *Setup) {
		s.Config.Output.Dir = dir
		s.Watch = &signalAfter{interrupt: interrupt, searches: 10}
	})
	if first.Status != record.Incomplete || first.Kernels[0].Power != nil {
		t.Fatalf("status %s, power %+v", first.Status, first.Kernels[0].Power)
	}
	earlier := expect.Value(record.ReadEarlier(dir))(t)
	second := powered(t, context.Background(), 1, func(_ int, s *Setup) { s.Earlier, s.Config = earlier, *earlier.Config })
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
		got := powered(t, context.Background(), 2, func(_ int, s *Setup) { s.Config.Search.Kernel = kernel })
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
	}
}
