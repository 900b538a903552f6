package bench

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/internal/power"
	"g500/internal/power/powertest"
	"g500/record"
	"g500/settings"
	"g500/sssp"
)

// pacedBoth has both kernels on scale 10. A search takes 1 ms in one and 3 ms in the other.
func pacedBoth(change func(*Setup)) (got *record.Run, err error) {
	s := hybrid(configOf("both", 10))
	s.wrapTrees(func(_ comm.Transport, e bfs.Engine) bfs.Engine { return paced(e, time.Millisecond) })
	s.wrapPaths(func(e sssp.Engine) sssp.Engine { return paced(e, 3*time.Millisecond) })
	change(&s)
	return run(context.Background(), 2, s)
}

// If kernel 1 of shortest paths uses work of kernel 1 of breadth-first search, its time includes both, and the time of
// the run counts the work once. The clock of this test advances only in kernel 1.
func TestSharedOrderCounts(t *testing.T) {
	for kernel, seconds := range map[string]float64{"bfs": 10, "sssp": 20, "both": 30} {
		synctest.Test(t, func(t *testing.T) {
			s := &sleepy{trees: sleepyKernel{kernel1: 10 * time.Second}, paths: sleepyKernel{kernel1: 20 * time.Second}}
			setup := s.setup(configOf(kernel, 8), 0)
			setup.Backend.SharesOrder = true
			got, err := run(t.Context(), 1, setup)
			if err != nil {
				t.Fatal(err)
			}
			noted := strings.Contains(strings.Join(got.Notes, "\n"), "degree order")
			last, shared := got.Kernels[len(got.Kernels)-1], kernel == "both"
			if noted != shared || last.ConstructionIncludesEarlier != shared || last.ConstructionSeconds != seconds ||
				got.ConstructionSeconds() != seconds {
				t.Errorf("kernel %s: noted %v, kernel 1 took %g s, in all %g s, want %g", kernel, noted,
					last.ConstructionSeconds, got.ConstructionSeconds(), seconds)
			}
		})
	}
}

// Each kernel searches in complete rounds until its own searches have taken the time.
func TestMinTimeIsOfEachKernel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, err := pacedBoth(func(s *Setup) {
			s.Config.Search.Keys, s.Config.Search.MinTime = 5, settings.Duration(25*time.Millisecond)
		})
		if err != nil {
			t.Fatal(err)
		}
		bfs, paths := got.Kernels[0], got.Kernels[1]
		if got.Status != record.Valid || len(bfs.Searches) != 25 || len(paths.Searches) != 10 || bfs.Keys != 25 ||
			paths.Keys != 10 {
			t.Errorf("%s; %d of %d and %d of %d searches", got.Verdict(), len(bfs.Searches), bfs.Keys, len(paths.Searches),
				paths.Keys)
		}
	})
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
