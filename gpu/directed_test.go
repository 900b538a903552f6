// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package gpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/comm"
	gpubfs "g500/gpu/bfs"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/gpu/kernel1"
	gpusssp "g500/gpu/sssp"
	gpuvalidate "g500/gpu/validate"
	"g500/graph"
	"g500/internal/expect"
	"g500/policy"
	"g500/sssp"
	"g500/validate"
)

// arcs is a directed graph with weights.
type arcs struct{ graph.HostWeightedTuples }

// reference is the levels and distances of all vertices from a root, -1 if unreached, and the counts of both verdicts.
type reference struct {
	levels    []int
	distances []float32
	counts    validate.Verdict
}

// from relaxes all arcs until nothing changes.
func (a arcs) from(root graph.Global, vertices graph.Global) reference {
	r := reference{make([]int, vertices), make([]float32, vertices), validate.Verdict{}}
	for v := range vertices {
		r.levels[v], r.distances[v] = math.MaxInt32, float32(math.Inf(1))
	}
	r.levels[root], r.distances[root] = 0, 0
	for changed := true; changed; {
		changed = false
		for i, e := range a.HostTuples {
			u, v := e.U(), e.V()
			level, distance := min(r.levels[v], r.levels[u]+1), min(r.distances[v], r.distances[u]+a.Weights[i])
			if level < r.levels[v] || distance < r.distances[v] {
				r.levels[v], r.distances[v], changed = level, distance, true
			}
		}
	}
	for _, e := range a.HostTuples {
		if r.levels[e.U()] < math.MaxInt32 {
			r.counts.EdgesWithLoops++
			if e.U() != e.V() {
				r.counts.Edges++
			}
		}
	}
	for v, level := range r.levels {
		if level == math.MaxInt32 {
			r.levels[v], r.distances[v] = -1, -1
			continue
		}
		r.counts.Reached++
		r.counts.Levels = max(r.counts.Levels, level+1)
	}
	return r
}

// share returns a rank's tuples.
func (a arcs) share(host comm.Transport) graph.Tuples {
	var own graph.HostWeightedTuples
	for i := host.Rank(); i < len(a.HostTuples); i += host.Size() {
		own.HostTuples, own.Weights = append(own.HostTuples, a.HostTuples[i]), append(own.Weights, a.Weights[i])
	}
	return graph.Arcs(own)
}

// Breadth-first search and shortest paths follow arcs, and the validator accepts both results: with one degree order
// and one collection of entries for both kernels on one rank, and with exchanges by peers and by hosts on several.
func TestDirectedGraphs(t *testing.T) {
	for _, c := range gputest.Graphs() {
		r := rand.New(rand.NewPCG(7, uint64(len(c.Edges))))
		list := arcs{graph.HostWeightedTuples{HostTuples: c.Edges, Weights: make([]float32, len(c.Edges))}}
		for i := range list.Weights {
			list.Weights[i] = []float32{0, 1e-9, 0.25, r.Float32()}[r.IntN(4)]
		}
		for _, transport := range []string{device.AutoTransport, device.MPITransport} {
			for ranks := 1; ranks <= 3; ranks++ {
				t.Run(fmt.Sprintf("%s/%s/ranks=%d", c.Name, transport, ranks), func(t *testing.T) {
					gputest.OnRanks(t, comm.Loopback, ranks, func(host comm.Transport) {
						gputest.Joined(host, transport, func(tr device.Transport) { list.search(tr, c.Roots) })
					})
				})
			}
		}
	}
}

// search compares the results of a rank with the reference.
func (a arcs) search(tr device.Transport, roots []graph.Global) {
	given := gputest.Must(kernel1.OnDevice(tr.Device(), a.share(tr.Host())))
	order := &kernel1.Order{Spare: math.MaxInt64}
	o := gpubfs.DefaultOptions()
	o.Order = order
	levels := gputest.Must(gpubfs.New(tr, given, o))
	paths := gputest.Must(gpusssp.New(tr, given, gpusssp.Options{
		Policy: policy.Default(), Prune: sssp.PruneNone, Order: order,
	}))
	vertices := levels.Layout().Vertices()
	validator := gputest.Must(gpuvalidate.New(tr, vertices, given))
	a.compareEdges(tr.Host(), levels)
	for _, root := range roots {
		if root >= vertices {
			continue
		}
		want := a.from(root, vertices)
		gputest.Check(equal(gputest.Must(validator.Tree(root, gputest.Must(levels.Search(root)))), want.counts))
		found := gputest.Must(paths.Search(root))
		verdict := gputest.Must(validator.Paths(root, found))
		verdict.Levels = want.counts.Levels // shortest paths may have more edges
		gputest.Check(equal(verdict, want.counts))
		_, distances, err := found.Host()
		gputest.Check(err)
		for l, d := range distances {
			if v := paths.Layout().Global(tr.Host().Rank(), graph.Local(l)); d != want.distances[v] {
				gputest.Check(fmt.Errorf("root %d: vertex %d has distance %g, want %g", root, v, d, want.distances[v]))
			}
		}
	}
	gputest.Check(given.Free(), validator.Close(), paths.Close(), levels.Close(), tr.Barrier())
}

// compareEdges checks which vertices have arcs to other vertices.
func (a arcs) compareEdges(host comm.Transport, e *gpubfs.Engine) {
	for l := range e.Layout().Count(host.Rank()) {
		v := e.Layout().Global(host.Rank(), graph.Local(l))
		leads := slices.ContainsFunc(a.HostTuples, func(e graph.Edge) bool { return e.U() == v && e.V() != v })
		if e.HasEdge(graph.Local(l)) != leads {
			gputest.Check(fmt.Errorf("vertex %d has an arc: %v, want %v", v, !leads, leads))
		}
		if l == 100 { // the reference takes long
			return
		}
	}
}

// The engine refuses a form of exchange whose levels are bottom-up.
func TestDirectedGraphsHaveNoBitmaps(t *testing.T) {
	gputest.Alone(t, func(tr device.Transport) {
		o := gpubfs.DefaultOptions()
		o.Exchange = gpubfs.Exchanges["bitmap"]
		expect.Error(t, expect.Err(gpubfs.New(tr, graph.Arcs(graph.HostTuples(gputest.Pairs(0, 1))), o)),
			"use --exchange auto or bins", "bitmaps of a directed graph")
	})
}

func equal(got, want validate.Verdict) error {
	if got != want {
		return fmt.Errorf("verdict %+v, want %+v", got, want)
	}
	return nil
}
