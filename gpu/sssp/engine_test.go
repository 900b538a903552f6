//go:build cuda && cgo

package sssp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/gpu/kernel1"
	gpuvalidate "g500/gpu/validate"
	"g500/graph"
	"g500/kronecker"
	"g500/sssp"
)

// The engine on a GPU has the distances of the plain one on CPUs to the bit, whatever the weights.
func TestPathsAreBellmanFords(t *testing.T) {
	weightings := map[string]func(r *rand.Rand) float32{
		"even":  func(r *rand.Rand) float32 { return r.Float32() },
		"zeros": func(*rand.Rand) float32 { return 0 },
		"weights that vanish in a sum": func(r *rand.Rand) float32 {
			return []float32{0, 1e-9, 1e-8, 0.25, 0.5}[r.IntN(5)]
		},
		"large and small":           func(r *rand.Rand) float32 { return float32(math.Exp(40*r.Float64() - 10)) },
		"over ninety binary orders": func(r *rand.Rand) float32 { return float32(math.Exp2(90*r.Float64() - 30)) },
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
			list := graph.HostWeightedTuples{HostTuples: c.Edges, Weights: make([]float32, len(c.Edges))}
			for i := range list.Weights {
				list.Weights[i] = weigh(r)
			}
			for _, prune := range []sssp.Pruning{sssp.PruneNone, sssp.PruneHub} {
				at := fmt.Sprintf("%s, %s, pruned: %s", c.Name, name, prune)
				t.Run(at, pathCase{at, list, c.Roots, sssp.NewBellmanFord, prune}.compare)
			}
		}
	}
}

// On official graphs it has those of the fast one, for many keys.
func TestOfficialPathsAreTheCPUs(t *testing.T) {
	scale := 20
	if testing.Short() {
		scale = 14
	}
	p := gputest.Official(scale)
	list := graph.HostWeightedTuples{HostTuples: make(graph.HostTuples, p.Edges()), Weights: make([]float32, p.Edges())}
	if err := p.FillParallel(t.Context(), 0, list.HostTuples, list.Weights, 8, nil); err != nil {
		t.Fatal(err)
	}
	for _, prune := range []sssp.Pruning{sssp.PruneNone, sssp.PruneHub} {
		at := fmt.Sprintf("scale %d, pruned: %s", scale, prune)
		pathCase{at, list, firstKeys(p, 64), sssp.NewSearch(8), prune}.compare(t)
	}
}

// firstKeys are candidates for search keys, among them vertices without an edge, that are labels of the graph.
func firstKeys(p kronecker.Params, n int) (keys []graph.Global) {
	for i := int64(0); len(keys) < n; i++ {
		if v := p.KeyCandidate(i); v < graph.Global(p.Vertices())*7/8 {
			keys = append(keys, v)
		}
	}
	return keys
}

// pathCase is searched from all roots on GPUs, and by a reference implementation.
type pathCase struct {
	name      string
	list      graph.HostWeightedTuples
	roots     []graph.Global
	reference sssp.New
	prune     sssp.Pruning
}

// pathRoutes are numbers of ranks, and how these exchange.
var pathRoutes = map[int]string{1: device.AutoTransport, 2: device.AutoTransport, 3: device.MPITransport}

// compare has the judge look at the results, and compares distances.
func (c pathCase) compare(t *testing.T) {
	t.Helper()
	want, err := c.expected()
	if err != nil {
		t.Fatalf("%s: the reference: %v", c.name, err)
	}
	for ranks, transport := range pathRoutes {
		err := comm.Loopback(ranks, func(host comm.Transport) error {
			return gputest.Joined(host, transport, func(tr device.Transport) error { return c.search(tr, want) })
		})
		if err != nil {
			t.Fatalf("%s, %d ranks: %v", c.name, ranks, err)
		}
	}
}

func (c pathCase) expected() (want []sssp.HostPaths, err error) {
	return want, comm.Loopback(1, func(tr comm.Transport) error {
		e, err := c.reference(tr, c.list, sssp.PruneNone)
		for _, root := range c.roots {
			if err != nil {
				return err
			}
			var found sssp.Paths
			if found, err = e.Search(root); err == nil {
				parents, distances, _ := found.Host()
				want = append(want, sssp.HostPaths{
					Parents: append([]graph.Global{}, parents...), Distances: append([]float32{}, distances...),
				})
			}
		}
		return err
	})
}

// share is a rank's part of the tuples.
func (c pathCase) share(rank, ranks int) (own graph.HostWeightedTuples) {
	for i := rank; i < len(c.list.HostTuples); i += ranks {
		own.HostTuples = append(own.HostTuples, c.list.HostTuples[i])
		own.Weights = append(own.Weights, c.list.Weights[i])
	}
	return own
}

func (c pathCase) search(tr device.Transport, want []sssp.HostPaths) error {
	given, err := kernel1.OnDevice(tr.Device(), c.share(tr.Host().Rank(), tr.Host().Size()))
	if err != nil {
		return err
	}
	e, err := New(tr, given, Options{bfs.DefaultPolicy(), c.prune})
	if err != nil {
		return err
	}
	j, err := gpuvalidate.New(tr, e.Layout().Vertices(), given)
	if err != nil {
		return err
	}
	for i, root := range c.roots {
		found, err := e.Search(root)
		if err != nil {
			return err
		}
		verdict, err := j.Paths(root, found)
		if err != nil || verdict.Fault != nil {
			return fmt.Errorf("root %d: %v, %w", root, verdict.Fault, err)
		}
		_, distances, err := found.Host()
		if err != nil {
			return err
		}
		for l, d := range distances {
			v := e.Layout().Global(tr.Host().Rank(), graph.Local(l))
			if d != want[i].Distances[v] {
				return fmt.Errorf("root %d: vertex %d is at %g, want %g", root, v, d, want[i].Distances[v])
			}
		}
	}
	given.Free()
	return errorsOf(j.Close(), e.Close(), tr.Barrier())
}

func errorsOf(faults ...error) error {
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}
