//go:build cuda && cgo

package gpu

import (
	"testing"

	"g500/bench"
	"g500/comm"
	"g500/graph/formats"
	"g500/record"
)

// Graphs that are not the official one are searched on GPUs too: with numbers of vertices that are no powers of two,
// and with more levels than a trace keeps. Searches reach what those of package input reach.
func TestAnyGraphIsSearched(t *testing.T) {
	for _, spec := range []string{
		"grid2d:137x51", "road:200x200", "uniform:vertices=10001,degree=2", "rmat:scale=12,loops=keep,duplicates=keep",
		"geometric:vertices=7777,degree=9", "grid2d:3001x1",
	} {
		parsed, err := formats.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		g, err := parsed.Make(t.Context(), 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, ranks := range []int{1, 2, 3} {
			run, err := searchedOn(t, spec, ranks)
			if err != nil {
				t.Fatalf("%s on %d ranks: %v", spec, ranks, err)
			}
			if run.Status != record.Valid || len(run.Kernels[0].Searches) != 8 {
				t.Errorf("%s on %d ranks: %s (%s), %d searches", spec, ranks, run.Status, run.Reason, len(run.Kernels[0].Searches))
			}
			for _, s := range run.Kernels[0].Searches {
				sweep := g.Sweep(int(s.Root))
				if int64(sweep.Reached) != s.Reached || sweep.Eccentricity+1 != s.Levels {
					t.Errorf("%s on %d ranks, root %d: reached %d in %d levels, want %d in %d", spec, ranks, s.Root,
						s.Reached, s.Levels, sweep.Reached, sweep.Eccentricity+1)
				}
			}
		}
	}
}

// searchedOn is a run with a trace on the graph of a spec.
func searchedOn(t *testing.T, spec string, ranks int) (result *record.Run, err error) {
	t.Helper()
	c := record.DefaultConfig()
	c.Graph.Spec, c.Search.Keys, c.Search.Trace = spec, 8, true
	in, err := bench.NewInput(c)
	if err != nil {
		t.Fatal(err)
	}
	err = comm.Loopback(ranks, func(host comm.Transport) error {
		backend, err := NewBackend(host, Options{
			Exchange: c.Search.Exchange, Transport: c.Machine.GPUTransport, Tuples: c.Machine.EdgeMemory,
			ResultBits: c.Search.ResultBits, Policy: c.Policy,
		})
		if err != nil {
			return err
		}
		run, err := bench.Run(t.Context(), host, bench.Setup{Config: c, Backend: backend, Input: in})
		if host.Rank() == 0 {
			result = run
		}
		if err != nil {
			return err
		}
		return backend.Release()
	})
	return result, err
}
