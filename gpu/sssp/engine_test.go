// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package sssp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/gpu/kernel1"
	gpuvalidate "g500/gpu/validate"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/kronecker"
	"g500/policy"
	"g500/sssp"
)

// The distances equal the distances of Bellman-Ford on CPUs to the bit, for all kinds of weights.
func TestPathsAreBellmanFords(t *testing.T) {
	weightings := map[string]func(r *rand.Rand) float32{
		"even":                         func(r *rand.Rand) float32 { return r.Float32() },
		"zeros":                        func(*rand.Rand) float32 { return 0 },
		"weights that vanish in a sum": func(r *rand.Rand) float32 { return []float32{0, 1e-9, 1e-8, 0.25, 0.5}[r.IntN(5)] },
		"large and small":              func(r *rand.Rand) float32 { return float32(math.Exp(40*r.Float64() - 10)) },
		"over ninety binary orders":    func(r *rand.Rand) float32 { return float32(math.Exp2(90*r.Float64() - 30)) },
		"a few huge among tiny ones": func(r *rand.Rand) float32 {
			if r.IntN(10) == 0 {
				return float32(math.Exp2(60) * r.Float64())
			}
			return float32(math.Exp2(-30) * (1 + r.Float64()))
		},
	}
	for _, c := range gputest.Graphs() {
		for name, weigh := range weightings {
			r := rand.New(rand.NewPCG(7, uint64(len(c.Edges))))
			list := graph.HostTuples{Edges: c.Edges, Weights: make([]float32, len(c.Edges))}
			for i := range list.Weights {
				list.Weights[i] = weigh(r)
			}
			for _, prune := range []sssp.Pruning{sssp.PruneNone, sssp.PruneHub} {
				at := fmt.Sprintf("%s, %s, pruned: %s", c.Name, name, prune)
				t.Run(at, pathCase{at, list, c.Roots, sssp.NewBellmanFord, prune, prune == sssp.PruneHub}.compare)
			}
		}
	}
}

// On official graphs the distances equal the fast CPU engine's distances, for many keys.
func TestOfficialPathsAreTheCPUs(t *testing.T) {
	scale := 20
	if testing.Short() {
		scale = 14
	}
	p := enginetest.OfficialParams(scale)
	list := graph.NewHostTuples(graph.Range{Count: p.Edges(), Weighted: true})
	expect.NoError(t, p.FillParallel(t.Context(), 0, list.Edges, list.Weights, 8, nil))
	for _, prune := range []sssp.Pruning{sssp.PruneNone, sssp.PruneHub} {
		at := fmt.Sprintf("scale %d, pruned: %s", scale, prune)
		pathCase{at, list, firstKeys(p, 64), sssp.NewSearch(8), prune, prune == sssp.PruneNone}.compare(t)
	}
}

// Kernel 1 and searches of graphs without an edge between two vertices.
func TestPathsOfGraphsWithoutEdges(t *testing.T) {
	loops := graph.HostTuples{Edges: bfstest.Tuples(3, 3, 0, 0, 3, 3), Weights: []float32{0.5, 1, 0}}
	empty := graph.HostTuples{Weights: []float32{}}
	for _, shares := range []bool{false, true} {
		pathCase{"no tuple", empty, nil, sssp.NewBellmanFord, sssp.PruneNone, shares}.compare(t)
		roots := []graph.Global{0, 2, 3}
		pathCase{"only self-loops", loops, roots, sssp.NewBellmanFord, sssp.PruneNone, shares}.compare(t)
	}
}

// firstKeys returns candidates for search keys that are labels of the graph, also of isolated vertices.
func firstKeys(p kronecker.Params, n int) (keys []graph.Global) {
	for i := int64(0); len(keys) < n; i++ {
		if v := p.KeyCandidate(i); v < graph.Global(p.Vertices())*7/8 {
			keys = append(keys, v)
		}
	}
	return keys
}

// pathCase is a search from all roots on GPUs and by a reference implementation.
type pathCase struct {
	name      string
	list      graph.HostTuples
	roots     []graph.Global
	reference sssp.New
	prune     sssp.Pruning
	shares    bool // the degree order of the graph for breadth-first search
}

// pathTransports has the transport for each number of ranks.
var pathTransports = map[int]string{
	1: device.AutoTransport, 2: device.AutoTransport, 3: device.MPITransport, 8: device.AutoTransport,
}

// Ranks are peers within nodes of unequal sizes, and their number is odd.
func TestPathsOfDomains(t *testing.T) {
	p, list := enginetest.Official(13, 0, 1)
	for _, prune := range []sssp.Pruning{sssp.PruneNone, sssp.PruneHub} {
		c := pathCase{"scale 13", list, firstKeys(p, 8), sssp.NewSearch(8), prune, false}
		want := c.expected(t)
		for _, sizes := range gputest.Domains {
			t.Run(fmt.Sprintf("%v/pruned=%s", sizes, prune), func(t *testing.T) {
				c.compareOn(t, enginetest.OnNodes(sizes...), len(enginetest.NodesOf(sizes...)), "peer+staged", want)
			})
		}
	}
}

// compare validates the results and compares distances with the reference.
func (c pathCase) compare(t *testing.T) {
	t.Helper()
	want := c.expected(t)
	for ranks, transport := range pathTransports {
		c.compareOn(t, comm.Loopback, ranks, transport, want)
	}
}

// expected returns the distances of the reference from each root.
func (c pathCase) expected(t *testing.T) (want [][]float32) {
	t.Helper()
	gputest.OnRanks(t, comm.Loopback, 1, func(host comm.Transport) {
		e := gputest.Must(c.reference(host, c.list, sssp.PruneNone))
		for _, root := range c.roots {
			want = append(want, slices.Clone(gputest.Must(gputest.Must(e.Search(root)).Host()).Distances))
		}
	})
	return want
}

// compareOn is compare on a number of ranks.
func (c pathCase) compareOn(t *testing.T, launch bfstest.Launch, ranks int, transport string, want [][]float32) {
	t.Helper()
	expect.NoError(t, gputest.Ranks(launch, ranks, func(host comm.Transport) {
		gputest.Joined(host, transport, func(tr device.Transport) { c.search(tr, want) })
	}), c.name, ranks, "ranks")
}

// search compares the distances of a rank's vertices from each root.
func (c pathCase) search(tr device.Transport, want [][]float32) {
	given := gputest.Must(kernel1.OnDevice(tr.Device(), enginetest.Share(c.list, tr.Host())))
	options := Options{Policy: policy.Default(), Prune: c.prune}
	if c.shares {
		options.Order = &kernel1.Order{Spare: math.MaxInt64}
		plain := gputest.Must(kernel1.Build(tr, given, kernel1.Options{Order: options.Order}))
		gputest.Check(plain.Close())
	}
	e := gputest.Must(New(tr, given, options))
	validator := gputest.Must(gpuvalidate.New(tr, e.Layout().Vertices(), given))
	for i, root := range c.roots {
		found := gputest.Must(e.Search(root))
		verdict := gputest.Must(validator.Validate(root, found))
		gputest.That(verdict.Fault == nil, "root %d: %w", root, verdict.Fault)
		for l, d := range gputest.Must(found.Host()).Distances {
			if v := e.Layout().Global(tr.Host().Rank(), graph.Local(l)); d != want[i][v] {
				gputest.Check(fmt.Errorf("root %d: vertex %d has distance %g, want %g", root, v, d, want[i][v]))
			}
		}
	}
	gputest.Check(given.Free(), validator.Close(), e.Close(), tr.Barrier())
}
