//go:build cuda && cgo

package gpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"g500/bfs"
	"g500/comm"
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
		"large and small": func(r *rand.Rand) float32 { return float32(math.Exp(40*r.Float64() - 10)) },
	}
	for _, c := range graphs() {
		for name, weigh := range weightings {
			r := rand.New(rand.NewPCG(7, uint64(len(c.Edges))))
			list := graph.HostWeightedTuples{HostTuples: c.Edges, Weights: make([]float32, len(c.Edges))}
			for i := range list.Weights {
				list.Weights[i] = weigh(r)
			}
			for _, prune := range []sssp.Pruning{sssp.PruneNone, sssp.PruneHub} {
				comparePaths(t, fmt.Sprintf("%s, %s, pruned: %s", c.Name, name, prune), list, c.Roots, sssp.NewBellmanFord, prune)
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
	p := official(scale)
	list := graph.HostWeightedTuples{HostTuples: make(graph.HostTuples, p.Edges()), Weights: make([]float32, p.Edges())}
	if err := p.FillParallelWeighted(t.Context(), 0, list.HostTuples, list.Weights, 8, nil); err != nil {
		t.Fatal(err)
	}
	for _, prune := range []sssp.Pruning{sssp.PruneNone, sssp.PruneHub} {
		comparePaths(t, fmt.Sprintf("scale %d, pruned: %s", scale, prune), list, firstKeys(p, 64), sssp.NewSearch(8), prune)
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

// comparePaths searches from all roots on the GPU and with a twin, and has the judge look at the result.
func comparePaths(
	t *testing.T, name string, list graph.HostWeightedTuples, roots []graph.Global, twin sssp.New, prune sssp.Pruning,
) {
	t.Helper()
	var want []sssp.HostPaths
	err := comm.Loopback(1, func(tr comm.Transport) error {
		e, err := twin(tr, list, sssp.PruneNone)
		for _, root := range roots {
			if err != nil {
				return err
			}
			var found sssp.Paths
			if found, err = e.SSSP(root); err == nil {
				parents, distances, _ := found.Host()
				want = append(want, sssp.HostPaths{
					Parents: append([]graph.Global{}, parents...), Distances: append([]float32{}, distances...),
				})
			}
		}
		return err
	})
	if err != nil {
		t.Fatalf("%s: the twin: %v", name, err)
	}
	onOne(t, func(tr DeviceTransport) error {
		given, err := onDevice(tr.Device(), list)
		if err != nil {
			return err
		}
		e, err := newPathEngine(tr, given, pathOptions{bfs.DefaultPolicy(), prune})
		if err != nil {
			return err
		}
		j, err := newJudge(tr, e.Layout().Vertices(), given)
		if err != nil {
			return err
		}
		for i, root := range roots {
			found, err := e.SSSP(root)
			if err != nil {
				return err
			}
			verdict, err := j.Paths(root, found)
			if err != nil || verdict.Fault != nil {
				return fmt.Errorf("%s, root %d: %v, %w", name, root, verdict.Fault, err)
			}
			_, distances, err := found.Host()
			if err != nil {
				return err
			}
			for v, d := range distances {
				if d != want[i].Distances[v] {
					return fmt.Errorf("%s, root %d: vertex %d is at %g, want %g", name, root, v, d, want[i].Distances[v])
				}
			}
		}
		given.free()
		return errorsOf(j.Close(), e.Close())
	})
}

func errorsOf(faults ...error) error {
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}
