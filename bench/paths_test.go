package bench

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"g500/graph"
	"g500/record"
	"g500/sssp"
)

func configOf(kernel string, scale int) record.Config {
	c := config(scale)
	c.Search.Kernel = kernel
	return c
}

// A run has the searches of the requested kernels, from the same keys, with the counts of the golden file.
func TestRunOfEachKernel(t *testing.T) {
	for _, kernel := range []string{"bfs", "sssp", "both"} {
		for _, ranks := range []int{1, 3} {
			got := mustRun(t, ranks, hybrid(configOf(kernel, 10)))
			if got.Status != record.Valid || got.KernelSetting() != kernel {
				t.Fatalf("%s on %d ranks: %s, a run of %s", kernel, ranks, got.Verdict(), got.KernelSetting())
			}
			keys := goldenKeys(t, "s10_ef16_seed2_3.json", 64)
			for _, k := range got.Kernels {
				if len(k.Searches) != 64 {
					t.Errorf("%s on %d ranks: %d searches of %s", kernel, ranks, len(k.Searches), k.Kernel)
				}
				for _, s := range k.Searches {
					if s.Root != keys[s.Key] || s.Edges != 16239 || s.EdgesWithLoops != 16383 || s.Reached != 897 {
						t.Errorf("%s, %d ranks, key %d of %s: %+v", kernel, ranks, s.Key, k.Kernel, s)
					}
				}
			}
		}
	}
}

// Wrong distances make a run invalid, without an error and without a rate.
func TestWrongDistancesMakeARunInvalid(t *testing.T) {
	s := hybrid(configOf("both", 10))
	s.wrapPaths(func(e sssp.Engine) sssp.Engine {
		return searching[sssp.Paths]{e, func(root graph.Global) (sssp.Paths, error) {
			p, err := e.Search(root)
			if err == nil { // one distance is wrong in the last place
				d := p.(*sssp.HostPaths).Distances
				d[len(d)-1] = math.Nextafter32(d[len(d)-1], 2)
			}
			return p, err
		}}
	})
	got, err := run(context.Background(), 2, s)
	if err != nil || got.Status != record.Invalid || len(got.KernelRun(record.SSSP).Searches) != 1 {
		t.Fatalf("%v, %s after %d searches", err, got.Verdict(), len(got.KernelRun(record.SSSP).Searches))
	}
	if st := got.Statistics(got.Kernels[0]); st.TEPS != nil {
		t.Error("an invalid run has a rate")
	}
}

// With --graph, shortest paths use the weights of the graph, which must exist.
func TestPathsOnAnyGraph(t *testing.T) {
	for _, c := range []struct {
		spec  string
		valid bool
	}{
		{"grid2d:20x20,weights=uniform", true},
		{"grid2d:20x20", false},
	} {
		cfg := configOf("both", 1)
		cfg.Graph.Spec = c.spec
		got, err := run(context.Background(), 2, onGraph(t, cfg))
		if (err == nil) != c.valid || (got != nil) != c.valid || c.valid && got.Status != record.Valid {
			t.Errorf("%s: %v, %+v", c.spec, err, got)
		}
	}
}

// A backend can read the tuples of a graph, with weights, in pieces.
func TestPathsBackendReadsWeights(t *testing.T) {
	cfg := configOf("sssp", 1)
	cfg.Graph.Spec = "grid2d:20x20,weights=uniform"
	s := onGraph(t, cfg)
	var given, drawn atomic.Int64 // tuples, and weights above 0
	s.Backend.Read = func(_ context.Context, s graph.Range, read graph.TupleReader, _ func(int64)) (graph.Tuples, error) {
		made, edges, weights := newHostTuples(s)
		for first := int64(0); first < s.Count; first += 7 {
			end := min(first+7, s.Count)
			if err := read(first, edges[first:end], weights[first:end]); err != nil {
				return nil, err
			}
		}
		for _, w := range weights {
			if w > 0 {
				drawn.Add(1)
			}
		}
		given.Add(s.Count)
		return made, nil
	}
	got, err := run(context.Background(), 2, s)
	const edges = 2 * 20 * 19
	if err != nil || got.Status != record.Valid || given.Load() != edges || drawn.Load() < edges-2 {
		t.Errorf("%v, %+v; %d tuples, %d with weights", err, got, given.Load(), drawn.Load())
	}
}

// A run of both kernels that was interrupted in the second is resumed there.
func TestPathsAreResumed(t *testing.T) {
	cfg := configOf("both", 8)
	cfg.Output.Dir = t.TempDir()
	s := hybrid(cfg)
	stop := errors.New("stop")
	s.wrapPaths(func(e sssp.Engine) sssp.Engine {
		searches := 0
		return searching[sssp.Paths]{e, func(root graph.Global) (sssp.Paths, error) {
			if searches++; searches == 11 { // the first is to warm up
				return nil, stop
			}
			return e.Search(root)
		}}
	})
	if _, err := run(context.Background(), 1, s); !errors.Is(err, stop) {
		t.Fatal(err)
	}
	earlier, err := record.ReadEarlier(cfg.Output.Dir)
	if err != nil || len(earlier.Kernels[0].Searches) != 64 || len(earlier.Kernels[1].Searches) != 9 {
		t.Fatalf("%v, %d searches", err, earlier.Done())
	}
	got, err := run(context.Background(), 1, resuming(t, cfg.Output.Dir))
	if err != nil || got.Status != record.Valid || got.Resumed != 64+9 || got.Done() != 2*64 {
		t.Fatalf("%v, %s", err, got.Verdict())
	}
}
