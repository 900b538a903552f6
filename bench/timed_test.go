package bench

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/internal/engine"
	"g500/kronecker"
	"g500/record"
	"g500/sssp"
)

// The clock of these tests stands still but in Sleep, so that what is timed is known to the nanosecond.

// sleepy is a setup on whose rank r each part of the run takes r+1 times this.
type sleepy struct {
	generate     time.Duration
	trees, paths sleepyKernel
	armed        atomic.Int32 // engines of breadth-first search, an hour each
}

// sleepyKernel is one kernel of a sleepy setup.
type sleepyKernel struct {
	kernel1, search time.Duration
	builds          int            // structures that rank 0 has built
	roots           []graph.Global // of the searches of rank 0, in order
}

func nap(d time.Duration, rank int) { time.Sleep(d * time.Duration(rank+1)) }

func (s *sleepy) setup(c record.Config, rank int) Setup {
	setup := hybrid(c)
	generate := setup.Backend.Generate
	setup.Backend.Generate = func(ctx context.Context, p kronecker.Params, share Range, advance func(int64)) (graph.Tuples,
		error) {
		nap(s.generate, rank)
		return generate(ctx, p, share, advance)
	}
	setup.wrapTrees(func(_ comm.Transport, e bfs.Engine) bfs.Engine {
		return &armedEngine{slowed(e, &s.trees, rank), &s.armed}
	})
	setup.wrapPaths(func(e sssp.Engine) sssp.Engine { return slowed(e, &s.paths, rank) })
	return setup
}

// slowed takes the time of kernel 1 and returns the engine of a rank with searches that take theirs.
func slowed[R any](e engine.Engine[R], k *sleepyKernel, rank int) engine.Engine[R] {
	nap(k.kernel1, rank)
	if rank == 0 {
		k.builds++
	}
	return searching[R]{e, func(root graph.Global) (R, error) {
		nap(k.search, rank)
		if rank == 0 {
			k.roots = append(k.roots, root)
		}
		return e.Search(root)
	}}
}

// armedEngine is an Prelauncher that takes an hour.
type armedEngine struct {
	bfs.Engine
	armed *atomic.Int32
}

func (e *armedEngine) Prelaunch() error {
	e.armed.Add(1)
	time.Sleep(time.Hour)
	return nil
}

func (s *sleepy) run(t *testing.T, ranks int, c record.Config) *record.Run {
	t.Helper()
	var result *record.Run
	err := comm.Loopback(ranks, func(tr comm.Transport) error {
		got, err := Run(context.Background(), tr, s.setup(c, tr.Rank()))
		if tr.Rank() == 0 {
			result = got
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// Each kernel is timed as long as the slowest rank takes for it, and nothing else is in its time.
func TestTimesAreThoseOfTheSlowestRank(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := config(6)
		c.Search.Keys = 3
		s := &sleepy{generate: time.Second, trees: sleepyKernel{kernel1: 10 * time.Second, search: time.Minute}}
		got := s.run(t, 3, c)
		if built := got.ConstructionSeconds(); got.GenerationSeconds != 3 || built != 30 {
			t.Errorf("generation %g s, construction %g s; want 3 and 30", got.GenerationSeconds, built)
		}
		if own := got.RankGenerationSeconds; !slices.Equal(own, []float64{1, 2, 3}) {
			t.Errorf("generation took the ranks %v s, want 1, 2 and 3", own)
		}
		for _, search := range got.Kernels[0].Searches {
			if search.Seconds != 180 || search.ValidateSeconds != 0 {
				t.Errorf("search key %d: %g s, validation %g s; want 180 and 0",
					search.Key, search.Seconds, search.ValidateSeconds)
			}
		}
		if got.Status != record.Valid || got.Done() != 3 {
			t.Errorf("status %s, %d searches", got.Status, got.Done())
		}
	})
}

// In a run of both kernels the times of each cover its own kernel 1 and its own searches.
func TestTimesOfBothKernels(t *testing.T) {
	for _, kernel := range []string{"sssp", "both"} {
		synctest.Test(t, func(t *testing.T) {
			c := configOf(kernel, 6)
			c.Search.Keys = 3
			s := &sleepy{generate: time.Second,
				trees: sleepyKernel{kernel1: 10 * time.Second, search: time.Minute},
				paths: sleepyKernel{kernel1: 20 * time.Second, search: 2 * time.Minute}}
			got := s.run(t, 3, c)
			if got.Status != record.Valid || got.GenerationSeconds != 3 || got.KernelSetting() != kernel {
				t.Errorf("%s: status %s, generation %g s, want 3", kernel, got.Status, got.GenerationSeconds)
			}
			for _, k := range got.Kernels {
				construction, search := 30.0, 180.0
				if k.Kernel == record.SSSP {
					construction, search = 60, 360
				}
				if k.ConstructionSeconds != construction || len(k.Searches) != 3 {
					t.Errorf("%s: construction of %s %g s, want %g; %d searches", kernel, k.Kernel, k.ConstructionSeconds,
						construction, len(k.Searches))
				}
				for _, s := range k.Searches {
					if s.Seconds != search || s.ValidateSeconds != 0 {
						t.Errorf("%s, search key %d of %s: %g s, validation %g s; want %g and 0", kernel, s.Key, k.Kernel, s.Seconds,
							s.ValidateSeconds, search)
					}
				}
			}
		})
	}
}

// An engine is armed before each search that is timed, and outside of its time. The report names the devices of the
// ranks.
func TestArmingIsNotTimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := config(6)
		c.Search.Keys = 3
		s := &sleepy{trees: sleepyKernel{search: time.Second}}
		var got *record.Run
		err := comm.Loopback(2, func(tr comm.Transport) error {
			setup := s.setup(c, tr.Rank())
			setup.Backend.Card = fmt.Sprintf("GPU %d", tr.Rank())
			run, err := Run(context.Background(), tr, setup)
			if tr.Rank() == 0 {
				got = run
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if n := s.armed.Load(); n != 2*3 {
			t.Errorf("armed %d times, want 3 on each of 2 ranks", n)
		}
		for _, search := range got.Kernels[0].Searches {
			if search.Seconds != 2 {
				t.Errorf("search key %d: %g s, want 2", search.Key, search.Seconds)
			}
		}
		if devices := got.Environment.RankDevices; !slices.Equal(devices, []string{"GPU 0", "GPU 1"}) {
			t.Errorf("devices %q", devices)
		}
	})
}

// The keys are searched one after the other, after one warm-up search from the first key, which is not among the
// results. So it is in each kernel, on one structure of its own.
func TestSearchesAreOneWarmUpAndOneForEachKey(t *testing.T) {
	for _, keys := range []int{1, 5, 64} {
		synctest.Test(t, func(t *testing.T) {
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
				if k.builds != 1 || len(results) != keys || !slices.Equal(k.roots, want) {
					t.Errorf("%d structures, want one; searched from %v, want %v", k.builds, k.roots, want)
				}
			}
		})
	}
}

// A kernel in which ranks do not wait for each other takes as long as the slowest of them needs.
func TestTheTimeIsTheSlowestRanks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		err := comm.Loopback(3, func(tr comm.Transport) error {
			seconds, err := timed(tr, func() error {
				time.Sleep(time.Duration(tr.Rank()+1) * time.Second)
				return nil
			})
			if err == nil && seconds != 3 {
				t.Errorf("rank %d: %g s, want 3", tr.Rank(), seconds)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// A rank that comes late is waited for before the clock starts: the time is that of the kernel alone.
func TestTheClockStartsWhenAllRanksAreThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		err := comm.Loopback(3, func(tr comm.Transport) error {
			time.Sleep(time.Duration(tr.Rank()) * time.Hour)
			seconds, err := timed(tr, func() error {
				time.Sleep(time.Second)
				return tr.Barrier()
			})
			if err == nil && seconds != 1 {
				t.Errorf("rank %d: %g s, want 1", tr.Rank(), seconds)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
