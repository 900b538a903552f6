package sssp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/graph"
)

// engines are those under test, with several goroutines where they can use them. The race detector's tests are short
// ones: they have those with goroutines.
func engines() map[string]New {
	if testing.Short() {
		return map[string]New{"fast, 3 workers": NewSearch(3), "fast, 3 workers, pruned": pruned(NewSearch(3))}
	}
	return map[string]New{
		"fast, 1 worker":          NewSearch(1),
		"fast, 3 workers":         NewSearch(3),
		"fast, 3 workers, pruned": pruned(NewSearch(3)),
		"Bellman-Ford":            NewBellmanFord,
		"Bellman-Ford, pruned":    pruned(NewBellmanFord),
	}
}

// rankCounts are the numbers of ranks under test.
func rankCounts() []int {
	if testing.Short() {
		return []int{3}
	}
	return []int{1, 3}
}

// found is a result gathered from all ranks, in label order.
type found struct {
	parents   []graph.Global
	distances []float32
}

// search has ranks find the shortest paths from each root, the tuples dealt to them in turn.
func searchAll(t *testing.T, kernel1 New, ranks int, edges []graph.Edge, weights []float32,
	roots []graph.Global) []found {
	t.Helper()
	results := make([]found, len(roots))
	var mu sync.Mutex
	err := comm.Loopback(ranks, func(tr comm.Transport) error {
		var own graph.HostWeightedTuples
		for i := tr.Rank(); i < len(edges); i += ranks {
			own.HostTuples = append(own.HostTuples, edges[i])
			own.Weights = append(own.Weights, weights[i])
		}
		e, err := kernel1(tr, own, PruneNone)
		if err != nil {
			return err
		}
		defer e.Close()
		for i, root := range roots {
			p, err := e.SSSP(root)
			if err != nil {
				return err
			}
			parents, distances, err := p.Host()
			if err != nil {
				return err
			}
			mu.Lock()
			n := int(e.Layout().Vertices())
			if results[i].parents == nil {
				results[i] = found{make([]graph.Global, n), make([]float32, n)}
			}
			for l := range parents {
				v := e.Layout().Global(tr.Rank(), graph.Local(l))
				results[i].parents[v], results[i].distances[v] = parents[l], distances[l]
			}
			mu.Unlock()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// checkTree holds parents to the distances: each leads nearer to the root along an edge of just that length, or along
// edges without length to it.
func checkTree(t *testing.T, edges []graph.Edge, weights []float32, root graph.Global, f found) {
	t.Helper()
	tight := map[[2]graph.Global]bool{}
	for i, e := range edges {
		for _, end := range [][2]graph.Global{{e.U(), e.V()}, {e.V(), e.U()}} {
			if end[0] != end[1] && f.distances[end[0]]+weights[i] == f.distances[end[1]] {
				tight[end] = true
			}
		}
	}
	for v, p := range f.parents {
		if f.distances[v] == Unreached {
			if p != graph.NoParent {
				t.Fatalf("vertex %d was not reached and has parent %d", v, p)
			}
			continue
		}
		if graph.Global(v) == root {
			if p != root || f.distances[v] != 0 {
				t.Fatalf("the root has parent %d and distance %g", p, f.distances[v])
			}
			continue
		}
		if !tight[[2]graph.Global{p, graph.Global(v)}] {
			t.Fatalf("vertex %d at %g has parent %d, from which no edge has just that length", v, f.distances[v], p)
		}
		at := graph.Global(v)
		for steps := 0; at != root; at = f.parents[at] {
			if steps++; steps > len(f.parents) {
				t.Fatalf("the parents of vertex %d never lead to the root", v)
			}
		}
	}
}

var negativeZero = float32(math.Copysign(0, -1))

// weightings are ways to weigh n tuples.
var weightings = map[string]func(n int) []float32{
	"uniform": func(n int) []float32 { return draw(n, func(r *rand.Rand) float32 { return r.Float32() }) },
	"ones":    func(n int) []float32 { return draw(n, func(*rand.Rand) float32 { return 1 }) },
	"zeros":   func(n int) []float32 { return make([]float32, n) },
	"few zeros, and weights that vanish in a sum": func(n int) []float32 {
		return draw(n, func(r *rand.Rand) float32 { return []float32{0, negativeZero, 1e-9, 1e-8, 0.25, 0.5}[r.IntN(6)] })
	},
	"large": func(n int) []float32 { return draw(n, func(r *rand.Rand) float32 { return 1000 * r.Float32() }) },
}

func draw(n int, one func(*rand.Rand) float32) []float32 {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	weights := make([]float32, n)
	for i := range weights {
		weights[i] = one(r)
	}
	return weights
}

// Every engine, on any number of ranks, has the twin's distances to the bit, and parents that fit them.
func TestDistancesAreDijkstras(t *testing.T) {
	for _, c := range bfstest.Cases() {
		for kind, weigh := range weightings {
			if testing.Short() && kind != "uniform" {
				continue
			}
			weights := weigh(len(c.Edges))
			vertices := 0
			for _, e := range c.Edges {
				vertices = max(vertices, int(e.U())+1, int(e.V())+1)
			}
			for name, kernel1 := range engines() {
				for _, ranks := range rankCounts() {
					t.Run(fmt.Sprintf("%s, %s, %s, %d ranks", c.Name, kind, name, ranks), func(t *testing.T) {
						for i, f := range searchAll(t, kernel1, ranks, c.Edges, weights, c.Roots) {
							want := dijkstra(c.Edges, weights, vertices, c.Roots[i])
							for v := range want {
								if math.Float32bits(want[v]) != math.Float32bits(f.distances[v]) {
									t.Fatalf("root %d: vertex %d is at %g, want %g", c.Roots[i], v, f.distances[v], want[v])
								}
							}
							checkTree(t, c.Edges, weights, c.Roots[i], f)
						}
					})
				}
			}
		}
	}
}

// A root that is no vertex is refused.
func TestRootThatIsNoVertex(t *testing.T) {
	for name, kernel1 := range engines() {
		err := comm.Loopback(2, func(tr comm.Transport) error {
			tuples := graph.HostWeightedTuples{HostTuples: graph.HostTuples{graph.NewEdge(0, 1)}, Weights: []float32{1}}
			e, err := kernel1(tr, tuples, PruneNone)
			if err != nil {
				return err
			}
			for _, root := range []graph.Global{-1, 2} {
				if _, err := e.SSSP(root); err == nil {
					t.Errorf("%s: root %d was accepted", name, root)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Of a vertex' edges a row has the lightest to each neighbour, by rising weight.
func TestRowsRiseByWeight(t *testing.T) {
	edges := []graph.Edge{graph.NewEdge(0, 1), graph.NewEdge(1, 0), graph.NewEdge(0, 2), graph.NewEdge(0, 0)}
	tuples := graph.HostWeightedTuples{HostTuples: edges, Weights: []float32{0.5, 0.25, 0.125, 0}}
	err := comm.Loopback(1, func(tr comm.Transport) error {
		s, err := build(tr, tuples, 2)
		if err != nil {
			return err
		}
		row := s.Row(s.HubOf[0])
		want := []edge{edgeTo(position(s.HubOf[2]), 0.125), edgeTo(position(s.HubOf[1]), 0.25)}
		if !slices.Equal(row, want) {
			t.Errorf("row %v, want %v", row, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
