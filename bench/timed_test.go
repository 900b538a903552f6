// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/power"
	"g500/internal/power/powertest"
	"g500/kronecker"
	"g500/record"
	"g500/settings"
)

// The clock of these tests advances only in Sleep, so that times are exact.

// sleepy is a setup in which each part of the run takes r+1 times the given duration on rank r.
type sleepy struct {
	generate     time.Duration
	shares       bool // the order of kernel 1
	trees, paths sleepyKernel
	prelaunched  atomic.Int32 // of breadth-first search, an hour each
}

// sleepyKernel is one kernel of a sleepy setup.
type sleepyKernel struct {
	kernel1, search time.Duration
	builds          int            // structures that rank 0 has built
	roots           []graph.Global // of the searches of rank 0, in order
}

func nap(d time.Duration, rank int) { time.Sleep(d * time.Duration(rank+1)) }

// run runs a configuration in simulated time.
func (s *sleepy) run(t *testing.T, ranks int, c record.Config) *record.Run {
	t.Helper()
	return inSimulatedTime(t, context.Background(), ranks, func(rank int, setup *Setup) {
		*setup = hybrid(c)
		setup.Backend.SharesOrder = s.shares
		setup.Backend.Card = fmt.Sprintf("GPU %d", rank)
		generate := setup.Backend.Generate
		setup.Backend.Generate = func(ctx context.Context, p kronecker.Params, share graph.Range,
			advance func(int64)) (graph.Tuples, error) {
			nap(s.generate, rank)
			return generate(ctx, p, share, advance)
		}
		setup.wrapTrees(func(_ comm.Transport, e engine.Engine) engine.Engine {
			return &prelauncher{slowed(e, &s.trees, rank), &s.prelaunched}
		})
		setup.wrapPaths(func(e engine.Engine) engine.Engine { return slowed(e, &s.paths, rank) })
	})
}

// slowed sleeps for the time of kernel 1 and returns an engine whose searches sleep too.
func slowed(e engine.Engine, k *sleepyKernel, rank int) engine.Engine {
	nap(k.kernel1, rank)
	if rank == 0 {
		k.builds++
	}
	return searching{e, func(root graph.Global) (engine.Result, error) {
		nap(k.search, rank)
		if rank == 0 {
			k.roots = append(k.roots, root)
		}
		return e.Search(root)
	}}
}

// prelauncher is a Prelauncher that takes an hour.
type prelauncher struct {
	engine.Engine
	n *atomic.Int32
}

func (e *prelauncher) Prelaunch() error {
	e.n.Add(1)
	time.Sleep(time.Hour)
	return nil
}

// Each kernel's times are the slowest rank's for its own kernel 1 and its own searches, and include nothing else: an
// engine is pre-launched before each timed search. The run has the devices of the ranks.
func TestTimesAreThoseOfTheSlowestRank(t *testing.T) {
	for _, kernel := range []string{"bfs", "sssp", "both"} {
		c := configOf(kernel, 6)
		c.Search.Keys = 3
		s := &sleepy{generate: time.Second,
			trees: sleepyKernel{kernel1: 10 * time.Second, search: time.Minute},
			paths: sleepyKernel{kernel1: 20 * time.Second, search: 2 * time.Minute}}
		got := s.run(t, 3, c)
		expect.That(t, got.Status == record.Valid && got.GenerationSeconds == 3 && got.KernelSetting() == kernel,
			"%s: %s, generation %g s, want 3", kernel, got.Verdict(), got.GenerationSeconds)
		expect.Equal(t, got.RankGenerationSeconds, []float64{1, 2, 3}, kernel)
		expect.Equal(t, got.Environment.RankDevices, []string{"GPU 0", "GPU 1", "GPU 2"}, kernel)
		for _, k := range got.Kernels {
			construction, search := 30.0, 180.0
			if k.Kernel == record.SSSP {
				construction, search = 60, 360
			} else {
				expect.Equal(t, s.prelaunched.Load(), 3*3, "pre-launched")
			}
			expect.Equal(t, k.ConstructionSeconds, construction, k.Kernel)
			expect.Equal(t, len(k.Searches), 3, k.Kernel)
			for _, s := range k.Searches {
				expect.Equal(t, [2]float64{s.Seconds, s.ValidateSeconds}, [2]float64{search, 0}, k.Kernel, s.Key)
			}
		}
	}
}

// Each kernel builds one structure and searches from the keys in their order, after one warm-up search from the first
// key, which is not among the results.
func TestSearchesAreOneWarmUpAndOneForEachKey(t *testing.T) {
	for _, keys := range []int{1, 5, 64} {
		c := configOf("both", 7)
		c.Search.Keys = keys
		s := &sleepy{trees: sleepyKernel{search: time.Second}, paths: sleepyKernel{search: time.Second}}
		got := s.run(t, 2, c)
		for i, k := range []sleepyKernel{s.trees, s.paths} {
			results := got.Kernels[i].Searches
			want := []graph.Global{graph.Global(results[0].Root)}
			for _, search := range results {
				want = append(want, graph.Global(search.Root))
			}
			expect.That(t, k.builds == 1 && len(results) == keys && slices.Equal(k.roots, want),
				"%d structures, want one; searched from %v, want %v", k.builds, k.roots, want)
		}
	}
}

// Section "Kernel 2", timing (docs/COMPLIANCE.md, 10): the clock starts when the last rank has come, and stops when the
// slowest has finished. As in a search, no rank ends before all have begun.
func TestTimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		enginetest.OnRanks(t, 3, func(t testing.TB, tr comm.Transport) {
			time.Sleep(time.Duration(tr.Rank()) * time.Hour)
			seconds := expect.Value(timed(tr, func() error {
				nap(time.Second, tr.Rank())
				return tr.Barrier()
			}))(t)
			expect.Equal(t, seconds, 3, "rank", tr.Rank())
		})
	})
}

// If kernel 1 of shortest paths uses work of kernel 1 of breadth-first search, its time includes both, and the time of
// the run counts the work once. The clock of this test advances only in kernel 1.
func TestSharedOrderCounts(t *testing.T) {
	for kernel, seconds := range map[string]float64{"bfs": 10, "sssp": 20, "both": 30} {
		s := &sleepy{shares: true, trees: sleepyKernel{kernel1: 10 * time.Second},
			paths: sleepyKernel{kernel1: 20 * time.Second}}
		got := s.run(t, 1, configOf(kernel, 8))
		noted := strings.Contains(strings.Join(got.Notes, "\n"), "degree order")
		last, shared := got.Kernels[len(got.Kernels)-1], kernel == "both"
		expect.That(t, noted == shared && last.ConstructionIncludesEarlier == shared && last.ConstructionSeconds == seconds &&
			got.ConstructionSeconds() == seconds, "kernel %s: noted %v, kernel 1 took %g s, in all %g s, want %g", kernel, noted,
			last.ConstructionSeconds, got.ConstructionSeconds(), seconds)
	}
}

// inSimulatedTime runs scale 10 in simulated time: a search takes 1 ms, one of shortest paths 3 ms, and all other work
// no time. change completes the setup of each rank.
func inSimulatedTime(t *testing.T, ctx context.Context, ranks int, change func(rank int, s *Setup)) (got *record.Run) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		got = expect.Value(onRanks(ctx, ranks, func(rank int) Setup {
			s := hybrid(config(10))
			s.wrapTrees(func(_ comm.Transport, e engine.Engine) engine.Engine { return paced(e, time.Millisecond) })
			s.wrapPaths(func(e engine.Engine) engine.Engine { return paced(e, 3*time.Millisecond) })
			change(rank, &s)
			return s
		}))(t)[0]
	})
	return got
}

// forAWhile searches from five keys for some milliseconds.
func forAWhile(kernel string, milliseconds int) func(int, *Setup) {
	return func(_ int, s *Setup) {
		s.Config.Search.Kernel, s.Config.Search.Keys = kernel, 5
		s.Config.Search.MinTime = settings.Duration(time.Duration(milliseconds) * time.Millisecond)
	}
}

// inRounds checks that a kernel has searched from five keys in complete rounds.
func inRounds(t *testing.T, r *record.Run, kernel record.Kernel, rounds int) {
	t.Helper()
	k := r.KernelRun(kernel)
	expect.Must(t, r.Status == record.Valid && k.Keys == 5*rounds && len(k.Searches) == k.Keys,
		"%s; %d of %d searches of %s, want %d rounds", r.Verdict(), len(k.Searches), k.Keys, kernel, rounds)
	roots := goldenKeys(t, "s10_ef16_seed2_3.json", 5)
	for i, s := range k.Searches {
		expect.Equal(t, fmt.Sprint(s.Key, s.Root, s.Edges), fmt.Sprint(i, roots[i%5], 16239))
	}
	expect.Contains(t, strings.Join(r.Notes, "\n"), "no submission")
}

// All keys are searched again, in complete rounds, until the searches of each kernel have taken the time.
func TestMinTimeSearchesInWholeRounds(t *testing.T) {
	inRounds(t, inSimulatedTime(t, context.Background(), 2, forAWhile("bfs", 12)), record.BFS, 3)
	both := inSimulatedTime(t, context.Background(), 2, forAWhile("both", 25))
	inRounds(t, both, record.BFS, 5)
	inRounds(t, both, record.SSSP, 2)
}

// A run that was interrupted in a later round continues there, and counts the time of the earlier searches.
func TestResumeInALaterRound(t *testing.T) {
	dir := t.TempDir()
	ctx, interrupt := context.WithCancel(context.Background())
	first := inSimulatedTime(t, ctx, 2, func(rank int, s *Setup) {
		forAWhile("bfs", 12)(rank, s)
		s.Config.Output.Dir = dir
		s.Watch = &signalAfter{interrupt: interrupt, searches: 7}
	})
	expect.Must(t, first.Status == record.Incomplete && first.Done() == 7 && first.Kernels[0].Keys == 10,
		"status %s, %d searches of %d", first.Status, first.Done(), first.Kernels[0].Keys)
	begun := *first // as it is on disk after a kill, from before the first search
	begun.Kernels, begun.Failure = []record.KernelRun{{Kernel: record.BFS, Keys: 5}}, ""
	expect.NoError(t, (&Store{dir: dir}).replace(record.File, begun.WriteJSON))
	earlier := expect.Value(record.ReadEarlier(dir))(t)
	second := inSimulatedTime(t, context.Background(), 2, func(_ int, s *Setup) {
		s.Earlier, s.Config, s.Watch = earlier, *earlier.Config, readingBack{Watchers{}, t, dir}
	})
	inRounds(t, second, record.BFS, 3)
	expect.Equal(t, second.Resumed, 7)
}

// readingBack checks after each search that the run could be resumed.
type readingBack struct {
	Watchers
	t   *testing.T
	dir string
}

func (r readingBack) Searched(record.Search, int, int) {
	expect.NoError(r.t, expect.Err(record.ReadEarlier(r.dir)))
}

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
	expect.Must(t, run.Status == record.Valid && run.Done() == 64 && p != nil && p.Refused == "",
		"status %s, %d searches, power %+v", run.Status, run.Done(), p)
	for name, c := range map[string][2]float64{
		"power": {p.Watts, 250}, "energy of a search": {p.JoulesPerSearch, 0.25}, "rate": {p.TEPSPerWatt, 16239 / 0.25},
		"time": {p.Seconds, 1.024}, // whole rounds of 64 ms
	} {
		got, want := c[0], c[1]
		expect.That(t, math.Abs(got-want) <= 1e-6*want, "%s is %g, want %g", name, got, want)
	}
	expect.That(t, p.Searches == 1024 && len(p.Meters) == 3 && p.PeriodSeconds == 0.01,
		"%d searches, %d meters, a reading each %g s", p.Searches, len(p.Meters), p.PeriodSeconds)
	for _, m := range p.Meters {
		expect.That(t, m.Updates >= 48 && m.Reads >= 100 && m.RelativeError > 0 && m.RelativeError <= 0.02,
			"meter %s: %+v", m.Source, m)
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
	expect.SkipIf(t, testing.Short(), "the race detector takes minutes for it")
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
		{"a signal after the last search", func(_ int, s *Setup) { s.Watch = signalling{Watchers{}, interrupt} },
			record.Interrupted},
		{"a tree that is wrong by then", func(_ int, s *Setup) { s.spoil(66, dropVertex) },
			"the last result breaks a rule: "},
	} {
		ctx := context.Background()
		if c.want == record.Interrupted {
			ctx = interrupted
		}
		run := powered(t, ctx, 2, c.change)
		p := run.Kernels[0].Power
		expect.That(t, p != nil && strings.HasPrefix(p.Refused, c.want) && p.Watts == 0 && p.TEPSPerWatt == 0,
			"%s: %+v, want %q", c.meaning, p, c.want)
		expect.That(t, run.Status == record.Valid && run.Done() == 64, "%s: %s", c.meaning, run.Verdict())
	}
}

// signalling sends a signal when the measurement of power begins.
type signalling struct {
	Watchers
	interrupt func()
}

func (s signalling) Step(name string, _ int64) {
	if name == "power" {
		s.interrupt()
	}
}

// Power is measured when a run is complete.
func TestPowerOfAResumedRun(t *testing.T) {
	dir := t.TempDir()
	ctx, interrupt := context.WithCancel(context.Background())
	first := powered(t, ctx, 1, func(_ int, s *Setup) {
		s.Config.Output.Dir = dir
		s.Watch = &signalAfter{interrupt: interrupt, searches: 10}
	})
	expect.Must(t, first.Status == record.Incomplete && first.Kernels[0].Power == nil,
		"status %s, power %+v", first.Status, first.Kernels[0].Power)
	earlier := expect.Value(record.ReadEarlier(dir))(t)
	second := powered(t, context.Background(), 1, func(_ int, s *Setup) { s.Earlier, s.Config = earlier, *earlier.Config })
	p := second.Kernels[0].Power
	expect.That(t, second.Status == record.Valid && p != nil && math.Abs(p.Watts-50) <= 1e-6, "%s, %+v", second.Status, p)
}

// Power is measured for each kernel, after the timed searches of both.
func TestPowerOfEachKernel(t *testing.T) {
	expect.SkipIf(t, testing.Short(), "the race detector takes minutes for it")
	for _, kernel := range []string{"both", "sssp"} {
		got := powered(t, context.Background(), 2, func(_ int, s *Setup) { s.Config.Search.Kernel = kernel })
		for _, k := range got.Kernels {
			expect.Must(t, k.Power != nil && k.Power.Refused == "", "kernels %s: power of %s %+v", kernel, k.Kernel, k.Power)
		}
		paths := got.KernelRun(record.SSSP).Power
		expect.That(t, paths.Searches >= 300 && paths.Searches <= 450, // of 3 ms each, for a second, in rounds of 64
			"kernels %s: %d searches while power was measured", kernel, paths.Searches)
		bfs := got.KernelRun(record.BFS) // three times as fast
		expect.That(t, bfs == nil || bfs.Power.TEPSPerWatt >= 2*paths.TEPSPerWatt, "%+v, %+v", bfs, paths)
	}
}
