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
	"g500/kronecker"
	"g500/record"
	"g500/sssp"
)

// The clock of these tests stands still but in Sleep, so that what is timed is known to the nanosecond.

// sleepy is a setup on whose rank r each part of the run takes r+1 times this.
type sleepy struct {
	generate, kernel1, search time.Duration
	pathsKernel1, paths       time.Duration // of shortest paths

	builds      int            // structures that rank 0 made
	armed       atomic.Int32   // engines, an hour each
	searches    []graph.Global // the roots of its searches, in order
	pathsBuilds int            // structures for shortest paths that rank 0 made
	pathsRoots  []graph.Global // the roots of its shortest paths, in order
}

func (s *sleepy) setup(c record.Config, rank int) Setup {
	nap := func(d time.Duration) { time.Sleep(d * time.Duration(rank+1)) }
	setup := hybrid(c)
	backend := setup.Backend
	setup.Backend.Generate = func(ctx context.Context, p kronecker.Params, share Range, advance func(int64)) (graph.Tuples,
		error) {
		nap(s.generate)
		return backend.Generate(ctx, p, share, advance)
	}
	setup.Backend.Kernel1 = func(t comm.Transport, tuples graph.Tuples) (bfs.Engine, error) {
		nap(s.kernel1)
		if rank == 0 {
			s.builds++
		}
		e, err := backend.Kernel1(t, tuples)
		return &sleepyEngine{e, s, rank, nap}, err
	}
	paths := *backend.Paths
	setup.Backend.Paths = &paths
	paths.Kernel1 = func(t comm.Transport, tuples graph.WeightedTuples, p sssp.Pruning) (sssp.Engine, error) {
		nap(s.pathsKernel1)
		if rank == 0 {
			s.pathsBuilds++
		}
		e, err := backend.Paths.Kernel1(t, tuples, p)
		return &sleepyPaths{e, s, rank, nap}, err
	}
	return setup
}

type sleepyPaths struct {
	sssp.Engine
	s    *sleepy
	rank int
	nap  func(time.Duration)
}

func (e *sleepyPaths) Search(root graph.Global) (sssp.Paths, error) {
	e.nap(e.s.paths)
	if e.rank == 0 {
		e.s.pathsRoots = append(e.s.pathsRoots, root)
	}
	return e.Engine.Search(root)
}

type sleepyEngine struct {
	bfs.Engine
	s    *sleepy
	rank int
	nap  func(time.Duration)
}

func (e *sleepyEngine) Arm() error {
	e.s.armed.Add(1)
	time.Sleep(time.Hour)
	return nil
}

func (e *sleepyEngine) Search(root graph.Global) (bfs.Tree, error) {
	e.nap(e.s.search)
	if e.rank == 0 {
		e.s.searches = append(e.s.searches, root)
	}
	return e.Engine.Search(root)
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
		s := &sleepy{generate: time.Second, kernel1: 10 * time.Second, search: time.Minute}
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
			s := &sleepy{generate: time.Second, kernel1: 10 * time.Second, search: time.Minute,
				pathsKernel1: 20 * time.Second, paths: 2 * time.Minute}
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
		s := &sleepy{search: time.Second}
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
			s := &sleepy{search: time.Second, paths: time.Second}
			got := s.run(t, 2, c)
			if s.builds != 1 || s.pathsBuilds != 1 {
				t.Errorf("%d and %d structures were made, want one for all searches of a kernel", s.builds, s.pathsBuilds)
			}
			for _, of := range []struct {
				results  []record.Search
				searched []graph.Global
			}{{got.Kernels[0].Searches, s.searches}, {got.KernelRun(record.SSSP).Searches, s.pathsRoots}} {
				want := []graph.Global{graph.Global(of.results[0].Root)}
				for _, search := range of.results {
					want = append(want, graph.Global(search.Root))
				}
				if len(of.results) != keys || !slices.Equal(of.searched, want) {
					t.Errorf("searched from %v, want %v", of.searched, want)
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
