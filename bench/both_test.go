package bench

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/internal/power"
	"g500/internal/power/powertest"
	"g500/record"
	"g500/sssp"
)

// pacedPaths is an engine whose searches take three milliseconds.
type pacedPaths struct{ sssp.Engine }

func (e pacedPaths) Search(root graph.Global) (sssp.Paths, error) {
	time.Sleep(3 * time.Millisecond)
	return e.Engine.Search(root)
}

// pacedBoth are both kernels on scale 10, of which one takes one millisecond a search and the other three.
func pacedBoth(change func(*Setup)) (got *record.Run, err error) {
	s := hybrid(configOf("both", 10))
	tree, paths := s.Kit.Kernel1, s.Kit.Paths.Kernel1
	s.Kit.Kernel1 = func(t comm.Transport, tuples graph.Tuples) (bfs.Engine, error) {
		e, err := tree(t, tuples)
		return paced{e}, err
	}
	s.Kit.Paths.Kernel1 = func(t comm.Transport, tuples graph.WeightedTuples, p sssp.Pruning) (sssp.Engine, error) {
		e, err := paths(t, tuples, p)
		return pacedPaths{e}, err
	}
	change(&s)
	return run(context.Background(), 2, s)
}

// Each kernel searches in whole rounds until its own searches have taken the time.
func TestMinTimeIsOfEachKernel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, err := pacedBoth(func(s *Setup) {
			s.Config.Search.Keys, s.Config.Search.MinTime = 5, Duration(25*time.Millisecond)
		})
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != record.Valid || len(got.Searches) != 25 || len(got.Paths.Searches) != 10 ||
			got.Keys != 25 || got.Paths.Keys != 10 {
			t.Errorf("%s; %d of %d and %d of %d searches", got.Verdict(), len(got.Searches), got.Keys,
				len(got.Paths.Searches), got.Paths.Keys)
		}
	})
}

// Power is measured in each kernel's searches, after the timed ones of both.
func TestPowerOfEachKernel(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes minutes for it")
	}
	for _, kernel := range []string{"both", "sssp"} {
		synctest.Test(t, func(t *testing.T) {
			got, err := pacedBoth(func(s *Setup) {
				s.Config.Search.Kernel, s.Config.Search.Power, s.Config.Search.PowerSeconds = kernel, true, 1
				s.Kit.Meters = func() ([]power.Meter, error) {
					return []power.Meter{&powertest.Fake{Name: "card", Watts: 100, Update: 20 * time.Millisecond}}, nil
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if (got.Power != nil) != (kernel == "both") || got.Paths.Power == nil || got.Paths.Power.Refused != "" {
				t.Fatalf("kernel %s: power of BFS %+v, of SSSP %+v", kernel, got.Power, got.Paths.Power)
			}
			if n := got.Paths.Power.Searches; n < 300 || n > 450 { // three milliseconds each, for a second, in rounds of 64
				t.Errorf("kernel %s: %d searches while power was measured", kernel, n)
			}
			if kernel == "both" && got.Power.TEPSPerWatt < 2*got.Paths.Power.TEPSPerWatt {
				t.Errorf("BFS is three times as fast, and has %g TEPS/W beside %g", got.Power.TEPSPerWatt,
					got.Paths.Power.TEPSPerWatt)
			}
		})
	}
}
