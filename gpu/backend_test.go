// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"g500/bench"
	"g500/bfs/bfstest"
	"g500/comm"
	gpubfs "g500/gpu/bfs"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/gpu/kernel1"
	gpusssp "g500/gpu/sssp"
	gpuvalidate "g500/gpu/validate"
	"g500/graph"
	"g500/graph/engine"
	"g500/graph/formats"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/policy"
	"g500/record"
	"g500/settings"
	"g500/sssp"
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
			expect.Equal(t, run.Status, record.Valid, spec, ranks, "ranks", run.Reason)
			expect.Equal(t, len(run.Kernels[0].Searches), 8, spec, ranks, "ranks: searches")
			for _, s := range run.Kernels[0].Searches {
				sweep := g.Sweep(int(s.Root))
				expect.Equal(t, []int{int(s.Reached), s.Levels}, []int{sweep.Reached, sweep.Eccentricity + 1}, spec, ranks, s.Root)
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
		gputest.Check(backend.Close())
	})
	return result
}

// abandoner is an engine of either kernel.
type abandoner interface {
	engine.Engine
	bench.Abandoner
}

// newAbandoner makes an engine.
type newAbandoner func(tr device.Transport, list graph.HostTuples) (abandoner, error)

func levelSearcher(tr device.Transport, list graph.HostTuples) (abandoner, error) {
	return gpubfs.New(tr, list, gpubfs.DefaultOptions())
}

func pathSearcher(tr device.Transport, list graph.HostTuples) (abandoner, error) {
	return gpusssp.New(tr, list, gpusssp.Options{Policy: policy.Default(), Prune: sssp.PruneNone})
}

// A search that one rank abandons ends on all ranks with comm.ErrAbandoned, and the engine's next search fails.
func TestAbandon(t *testing.T) {
	const n = 1 << 16 // levels of a search, enough to read its host's request to end
	list := graph.HostTuples{Edges: make([]graph.Edge, n), Weights: slices.Repeat([]float32{1}, n)}
	for v := range list.Edges {
		list.Edges[v] = graph.NewEdge(graph.Global(v), graph.Global(v+1))
	}
	for name, begin := range map[string]newAbandoner{"levels": levelSearcher, "paths": pathSearcher} {
		for _, transport := range []string{device.PeerTransport, device.StagedTransport} {
			for ranks := 1; ranks <= 3; ranks++ {
				t.Run(fmt.Sprintf("%s/%s/ranks=%d", name, transport, ranks), func(t *testing.T) {
					abandonOn(t, ranks, transport, list, begin)
				})
			}
		}
	}
}

func abandonOn(t *testing.T, ranks int, transport string, list graph.HostTuples, begin newAbandoner) {
	gputest.OnRanks(t, comm.Loopback, ranks, func(host comm.Transport) {
		gputest.Joined(host, transport, func(tr device.Transport) {
			n, r := len(list.Weights)/ranks, host.Rank()
			s, err := begin(tr, list.Cut(r*n, (r+1)*n))
			gputest.Check(comm.Agree(host, err))
			if r == ranks-1 {
				s.Abandon()
			}
			gputest.Check(host.Barrier())
			if err := expect.Err(s.Search(0)); !errors.Is(err, comm.ErrAbandoned) {
				gputest.Check(fmt.Errorf("rank %d: an abandoned search returns %v", r, err))
			}
			if err := expect.Err(s.Search(0)); err == nil ||
				!errors.Is(err, comm.ErrAbandoned) && !strings.Contains(err.Error(), "earlier search has failed") {
				gputest.Check(fmt.Errorf("rank %d: the next search returns %v", r, err))
			}
			gputest.Check(host.Barrier(), s.Close())
		})
	})
}

// Breadth-first search and shortest paths follow arcs, and the validator accepts both results: with one degree order
// and one collection of entries for both kernels on one rank, and with exchanges by peers and by hosts on several.
func TestDirectedGraphs(t *testing.T) {
	for _, c := range gputest.Graphs() {
		r := rand.New(rand.NewPCG(7, uint64(len(c.Edges))))
		list := graph.HostTuples{Edges: c.Edges, Weights: make([]float32, len(c.Edges)), Arcs: true}
		for i := range list.Weights {
			list.Weights[i] = []float32{0, 1e-9, 0.25, r.Float32()}[r.IntN(4)]
		}
		for _, transport := range []string{device.AutoTransport, device.MPITransport} {
			for ranks := 1; ranks <= 3; ranks++ {
				t.Run(fmt.Sprintf("%s/%s/ranks=%d", c.Name, transport, ranks), func(t *testing.T) {
					gputest.OnRanks(t, comm.Loopback, ranks, func(host comm.Transport) {
						gputest.Joined(host, transport, func(tr device.Transport) { searchArcs(tr, list, c.Roots) })
					})
				})
			}
		}
	}
}

// searchArcs validates the results of a rank, and compares its distances with the oracle's.
func searchArcs(tr device.Transport, list graph.HostTuples, roots []graph.Global) {
	given := gputest.Must(kernel1.OnDevice(tr.Device(), enginetest.Share(list, tr.Host())))
	order := &kernel1.Order{Spare: math.MaxInt64}
	o := gpubfs.DefaultOptions()
	o.Order = order
	levels := gputest.Must(gpubfs.New(tr, given, o))
	paths := gputest.Must(gpusssp.New(tr, given, gpusssp.Options{
		Policy: policy.Default(), Prune: sssp.PruneNone, Order: order,
	}))
	vertices := levels.Layout().Vertices()
	validator := gputest.Must(gpuvalidate.New(tr, vertices, given))
	compareEdges(tr.Host(), levels, list.Edges)
	for _, root := range roots {
		if root >= vertices {
			continue
		}
		tree := gputest.Must(validator.Validate(root, gputest.Must(levels.Search(root))))
		found := gputest.Must(paths.Search(root))
		verdict := gputest.Must(validator.Validate(root, found))
		gputest.Check(tree.Fault, verdict.Fault)
		want, _ := enginetest.Shortest(list, int(vertices), root)
		for l, d := range gputest.Must(found.Host()).Distances {
			v := paths.Layout().Global(tr.Host().Rank(), graph.Local(l))
			gputest.That(d == want[v], "root %d: vertex %d has distance %g, want %g", root, v, d, want[v])
		}
	}
	gputest.Check(given.Free(), validator.Close(), paths.Close(), levels.Close(), tr.Barrier())
}

// compareEdges checks which vertices have arcs to other vertices.
func compareEdges(host comm.Transport, e *gpubfs.Engine, arcs []graph.Edge) {
	for l := range e.Layout().Count(host.Rank()) {
		v := e.Layout().Global(host.Rank(), graph.Local(l))
		leads := slices.ContainsFunc(arcs, func(e graph.Edge) bool { return e.U() == v && e.V() != v })
		gputest.That(e.HasEdge(graph.Local(l)) == leads, "vertex %d has an arc: %v, want %v", v, !leads, leads)
		if l == 100 { // the reference takes long
			return
		}
	}
}

// The engine refuses a form of exchange whose levels are bottom-up.
func TestDirectedGraphsHaveNoBitmaps(t *testing.T) {
	gputest.Alone(t, func(tr device.Transport) {
		o := gpubfs.DefaultOptions()
		o.Exchange = "bitmap"
		expect.Error(t, expect.Err(gpubfs.New(tr, graph.HostTuples{Edges: bfstest.Tuples(0, 1), Arcs: true}, o)),
			"use --exchange auto or bins", "bitmaps of a directed graph")
	})
}
