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

// trial is an engine with a number of ranks.
type trial struct {
	name    string
	kernel1 New
	ranks   int
}

// trials have each engine pruned and whole, on one and on several ranks, with several goroutines where it can use them.
// The race detector's tests are short ones: they have the trials with goroutines.
func trials() []trial {
	fast := func(ranks int) trial { return trial{"fast, 3 workers", NewSearch(3), ranks} }
	pruning := trial{"fast, 3 workers, pruned", pruned(NewSearch(3)), 3}
	if testing.Short() {
		return []trial{fast(3), pruning}
	}
	return []trial{
		fast(1), fast(3), pruning,
		{"fast, 1 worker", NewSearch(1), 4},
		{"fast, 1 worker, pruned", pruned(NewSearch(1)), 1},
		{"Bellman-Ford", NewBellmanFord, 2},
		{"Bellman-Ford, pruned", pruned(NewBellmanFord), 1},
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
			p, err := e.Search(root)
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

// oracle is a weighted graph with the right distances from each root, and for each root and vertex the vertices from
// which an edge has just the length that is missing.
type oracle struct {
	edges     []graph.Edge
	weights   []float32
	roots     []graph.Global
	distances [][]float32
	tight     [][][]graph.Global
}

func oracleOf(edges []graph.Edge, weights []float32, roots []graph.Global) oracle {
	vertices := 0
	for _, e := range edges {
		vertices = max(vertices, int(e.U())+1, int(e.V())+1)
	}
	w := oracle{edges: edges, weights: weights, roots: roots}
	for _, root := range roots {
		distances, tight := dijkstra(edges, weights, vertices, root), make([][]graph.Global, vertices)
		for i, e := range edges {
			if u, v := e.U(), e.V(); u != v && distances[u] != Unreached {
				if distances[u]+weights[i] == distances[v] {
					tight[v] = append(tight[v], u)
				}
				if distances[v]+weights[i] == distances[u] {
					tight[u] = append(tight[u], v)
				}
			}
		}
		w.distances, w.tight = append(w.distances, distances), append(w.tight, tight)
	}
	return w
}

// hold runs trials on the graph: each must find the right distances to the bit, and a tree that fits them.
func (w oracle) hold(t *testing.T, name string) {
	for _, c := range trials() {
		t.Run(fmt.Sprintf("%s, %s, %d ranks", name, c.name, c.ranks), func(t *testing.T) {
			for i, f := range searchAll(t, c.kernel1, c.ranks, w.edges, w.weights, w.roots) {
				for v, want := range w.distances[i] {
					if math.Float32bits(want) != math.Float32bits(f.distances[v]) {
						t.Fatalf("root %d: vertex %d is at %g, want %g", w.roots[i], v, f.distances[v], want)
					}
				}
				w.checkTree(t, i, f.parents)
			}
		})
	}
}

// checkTree holds parents from root i to the distances: each leads nearer to the root along an edge of just that
// length, or along edges without length to it.
func (w oracle) checkTree(t *testing.T, i int, parents []graph.Global) {
	t.Helper()
	leads := make([]bool, len(parents)) // known to lead to the root
	leads[w.roots[i]] = true
	for v, p := range parents {
		switch reached := w.distances[i][v] != Unreached; {
		case !reached && p != graph.NoParent:
			t.Fatalf("vertex %d was not reached and has parent %d", v, p)
		case !reached:
			continue
		case graph.Global(v) == w.roots[i]:
			if p != w.roots[i] {
				t.Fatalf("the root has parent %d", p)
			}
			continue
		case !slices.Contains(w.tight[i][v], p):
			t.Fatalf("vertex %d has parent %d, from which no edge has just that length", v, p)
		}
		var way []graph.Global
		for at := graph.Global(v); !leads[at]; at = parents[at] {
			if way = append(way, at); len(way) > len(parents) {
				t.Fatalf("the parents of vertex %d never lead to the root", v)
			}
		}
		for _, at := range way {
			leads[at] = true
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

// Every engine, on any number of ranks, has Dijkstra's distances to the bit, and parents that fit them.
func TestDistancesAreDijkstras(t *testing.T) {
	for _, c := range bfstest.Cases() {
		for kind, weigh := range weightings {
			if !testing.Short() || kind == "uniform" {
				oracleOf(c.Edges, weigh(len(c.Edges)), c.Roots).hold(t, c.Name+", "+kind)
			}
		}
	}
}

// A root that is no vertex is refused.
func TestRootThatIsNoVertex(t *testing.T) {
	for _, c := range trials() {
		err := comm.Loopback(2, func(tr comm.Transport) error {
			tuples := graph.HostWeightedTuples{HostTuples: graph.HostTuples{graph.NewEdge(0, 1)}, Weights: []float32{1}}
			e, err := c.kernel1(tr, tuples, PruneNone)
			if err != nil {
				return err
			}
			for _, root := range []graph.Global{-1, 2} {
				if _, err := e.Search(root); err == nil {
					t.Errorf("%s: root %d was accepted", c.name, root)
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
		row := s.Row(s.IDOf[0])
		want := []edge{edgeTo(position(s.IDOf[2]), 0.125), edgeTo(position(s.IDOf[1]), 0.25)}
		if !slices.Equal(row, want) {
			t.Errorf("row %v, want %v", row, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
