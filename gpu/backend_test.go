// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package gpu

import (
	"testing"

	"g500/bench"
	"g500/comm"
	"g500/gpu/gputest"
	"g500/graph/formats"
	"g500/internal/expect"
	"g500/record"
	"g500/settings"
)

// Graphs of other formats are searched on GPUs: with numbers of vertices that are not powers of two, and with more
// levels than a trace has. Searches reach the vertices and levels that package formats finds.
func TestAnyGraphIsSearched(t *testing.T) {
	defer gputest.Fatal(t)
	for _, spec := range []string{
		"grid2d:137x51", "road:200x200", "uniform:vertices=10001,degree=2", "rmat:scale=12,loops=keep,duplicates=keep",
		"geometric:vertices=7777,degree=9", "grid2d:3001x1",
	} {
		g := gputest.Must(gputest.Must(formats.Parse(spec)).Make(t.Context(), 2, 0))
		for _, ranks := range []int{1, 2, 3} {
			c := settings.Default()
			c.Graph.Spec = spec
			run := searchedOn(t, c, ranks)
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

// Runs with edge tuples in each memory, and generated in each pass, have the same searches.
func TestEdgeMemoryChangesNoResult(t *testing.T) {
	defer gputest.Fatal(t)
	c := settings.Default()
	c.Graph.Scale, c.Search.Kernel = 12, "both"
	for _, ranks := range []int{1, 2, 3} {
		var want [][3]int64
		for _, c.Machine.EdgeMemory = range []string{"device", "host", "generated"} {
			run, got := searchedOn(t, c, ranks), [][3]int64(nil)
			for _, k := range run.Kernels {
				for _, s := range k.Searches {
					got = append(got, [3]int64{s.Root, s.Reached, s.Edges})
				}
			}
			if want == nil {
				want = got
			}
			expect.Equal(t, got, want, c.Machine.EdgeMemory, "on", ranks, "ranks")
			expect.Equal(t, run.Status, record.Valid, run.Reason, c.Machine.EdgeMemory, "on", ranks, "ranks")
		}
	}
}

// searchedOn returns a run of 8 searches with a trace.
func searchedOn(t *testing.T, c record.Config, ranks int) (result *record.Run) {
	t.Helper()
	c.Search.Keys, c.Search.Trace = 8, true
	in := gputest.Must(bench.NewSpecGraph(c))
	gputest.OnRanks(t, comm.Loopback, ranks, func(host comm.Transport) {
		backend := gputest.Must(NewBackend(host, c))
		run := gputest.Must(bench.Run(t.Context(), host, bench.Setup{Config: c, Backend: backend, Graph: in}))
		if host.Rank() == 0 {
			result = run
		}
		gputest.Check(backend.Release())
	})
	return result
}
