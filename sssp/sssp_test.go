// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"testing"

	"g500/bfs/bfstest"
	"g500/comm"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/kronecker"
	"g500/validate"
)

// trial is an engine with a number of ranks.
type trial struct {
	name    string
	kernel1 New
	ranks   int
	prune   Pruning
}

// trials returns each engine with and without pruning, on one and on several ranks, with several workers if it can use
// them. Short tests, for the race detector, have the trials with several workers.
func trials() []trial {
	fast := func(ranks int) trial { return trial{"fast, 3 workers", NewSearch(3), ranks, PruneNone} }
	pruning := trial{"fast, 3 workers, pruned", NewSearch(3), 3, PruneHub}
	if testing.Short() {
		return []trial{fast(3), pruning}
	}
	return []trial{
		fast(1), fast(3), pruning,
		{"fast, 1 worker", NewSearch(1), 4, PruneNone},
		{"fast, 1 worker, pruned", NewSearch(1), 1, PruneHub},
		{"Bellman-Ford", NewBellmanFord, 2, PruneNone},
		{"Bellman-Ford, pruned", NewBellmanFord, 1, PruneHub},
	}
}

// oracle is a weighted graph with the correct distances and parents from each root.
type oracle struct {
	graph.HostTuples
	roots     []graph.Global
	distances [][]float32
	parents   [][]graph.Global
}

// oracleOf returns the oracle of a graph with at least that many vertices.
func oracleOf(list graph.HostTuples, vertices int, roots []graph.Global) oracle {
	for _, e := range list.Edges {
		vertices = max(vertices, int(e.U())+1, int(e.V())+1)
	}
	w := oracle{HostTuples: list, roots: roots}
	for _, root := range roots {
		distances, parents := enginetest.Shortest(list, vertices, root)
		w.distances, w.parents = append(w.distances, distances), append(w.parents, parents)
	}
	return w
}

// check runs all trials on the graph.
func (w oracle) check(t *testing.T, name string) {
	for _, c := range trials() {
		if c.prune == PruneHub && w.Arcs { // refused
			continue
		}
		t.Run(fmt.Sprintf("%s, %s, %d ranks", name, c.name, c.ranks), func(t *testing.T) { w.search(t, c) })
	}
}

// search searches from each root, validates the shortest paths, and compares distances bit by bit.
func (w oracle) search(t *testing.T, c trial) {
	enginetest.OnRanks(t, c.ranks, func(t testing.TB, tr comm.Transport) {
		own := enginetest.Share(w.HostTuples, tr)
		e := expect.Value(c.kernel1(tr, own, c.prune))(t)
		defer e.Close()
		validator := expect.Value(validate.New(tr, e.Layout(), own, 1))(t)
		for i, root := range w.roots {
			found := expect.Value(expect.Value(e.Search(root))(t).Host())(t)
			expect.NoError(t, expect.Value(validator.Paths(root, found.Parents, found.Distances))(t).Fault, "root", root)
			for l, got := range found.Distances {
				v := e.Layout().Global(tr.Rank(), graph.Local(l))
				want := w.distances[i][v]
				expect.Must(t, math.Float32bits(want) == math.Float32bits(got), "root %d: vertex %d is at %g, want %g", root, v,
					got, want)
			}
		}
	})
}

// oneOf draws one of some weights.
func oneOf(weights ...float32) func(*rand.Rand) float32 {
	return func(r *rand.Rand) float32 { return weights[r.IntN(len(weights))] }
}

// weightings draw weights. Weights of official graphs are uniform below 1.
var weightings = []struct {
	name string
	draw func(*rand.Rand) float32
}{
	{"uniform", func(r *rand.Rand) float32 { return r.Float32() }},
	{"zero", oneOf(0)},
	{"all 16384", oneOf(16384)},
	{"all 2^60", oneOf(0x1p60)},
	{"few zeros, and weights that vanish in a sum", oneOf(0, float32(math.Copysign(0, -1)), 1e-9, 1e-8, 0.25, 0.5)},
	{"vanishing in a sum", oneOf(1, 16384, 0x1p-24, 0x1p-30, 0)},
	{"zero and large", oneOf(0, 0x1p40)},
	{"from 2^-30 to 2^60", func(r *rand.Rand) float32 { return float32(math.Ldexp(1+r.Float64(), r.IntN(90)-30)) }},
	{"powers of two", func(r *rand.Rand) float32 { return float32(math.Ldexp(1, r.IntN(91)-30)) }},
	{"metres of roads", func(r *rand.Rand) float32 { return float32(1 + r.IntN(100_000)) }},
	{"large and fractional", func(r *rand.Rand) float32 { return 1e6 + 1e6*r.Float32() }},
	{"small", func(r *rand.Rand) float32 { return 0x1p-30 * r.Float32() }},
	{"a few huge among tiny", func(r *rand.Rand) float32 {
		if r.IntN(20) == 0 {
			return 0x1p60 * (1 + r.Float32())
		}
		return 0x1p-30 * (1 + r.Float32())
	}},
}

// Every engine, on any number of ranks, has Dijkstra's distances bit by bit, and parents that match them. Random and
// dense graphs and chains of the BFS suite have all weightings, the other graphs the first ones.
func TestDistancesAreDijkstras(t *testing.T) { checkDistances(t, bfstest.Cases(), false) }

// The same holds for directed graphs.
func TestDistancesInDirectedGraphs(t *testing.T) { checkDistances(t, bfstest.DirectedCases(), true) }

func checkDistances(t *testing.T, cases []bfstest.Case, directed bool) {
	for _, c := range cases {
		count := 5
		if regexp.MustCompile("random|dense|chain").MatchString(c.Name) {
			count = len(weightings)
		} else if testing.Short() {
			count = 1
		}
		for _, kind := range weightings[:count] {
			r := rand.New(rand.NewPCG(7, uint64(len(c.Edges))))
			weights := make([]float32, len(c.Edges))
			for i := range weights {
				weights[i] = kind.draw(r)
			}
			list := graph.HostTuples{Edges: c.Edges, Weights: weights, Arcs: directed}
			oracleOf(list, 0, c.Roots).check(t, c.Name+", "+kind.name)
		}
	}
}

// Section "Kernel 3": the paths along a long row, which workers relax in parts, are all found, also those to few
// vertices of the row's rank, after which this rank relaxes nothing. Vertex 0 has ten neighbours on its own rank, and
// 1,124 on rank 1.
func TestLongRows(t *testing.T) {
	var list graph.HostTuples
	for v := graph.Global(1); v < 2*longRow+200; v++ {
		if v <= 20 || v%2 == 1 {
			list.Edges, list.Weights = append(list.Edges, graph.NewEdge(0, v)), append(list.Weights, 0.5+float32(v)*0x1p-20)
		}
	}
	oracleOf(list, 0, []graph.Global{1, 0}).search(t, trial{"", NewSearch(1), 2, PruneNone})
}

// A graph without tuples, as without self-loops, has an engine.
func TestNoTuples(t *testing.T) {
	for _, c := range trials() {
		enginetest.OnRanks(t, c.ranks, func(t testing.TB, tr comm.Transport) {
			e := expect.Value(c.kernel1(tr, graph.HostTuples{}, c.prune))(t)
			expect.Equal(t, e.Layout().Vertices(), 0, c.name)
			expect.NoError(t, e.Close())
		})
	}
}

// A search does not depend on earlier searches.
func TestSearchesAreIndependent(t *testing.T) {
	for _, ranks := range enginetest.Ranks(1, 3) {
		for _, prune := range []Pruning{PruneNone, PruneHub} {
			enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
				p, tuples := enginetest.Official(10, tr.Rank(), ranks)
				enginetest.IsIndependent(t, expect.Value(NewSearch(1)(tr, tuples, prune))(t), p)
			})
		}
	}
}

// Multiplying all weights by a power of two changes no step, and few rounds are needed.
func TestUnitOfWeightsDoesNotMatter(t *testing.T) {
	const mostRounds = 60
	var want map[graph.Global]enginetest.Outcome
	for _, power := range []int{0, 14, 60, -30} {
		enginetest.OnRanks(t, 1, func(t testing.TB, tr comm.Transport) {
			p, tuples := enginetest.Official(9, 0, 1)
			for i := range tuples.Weights {
				tuples.Weights[i] = float32(math.Ldexp(float64(tuples.Weights[i]), power))
			}
			e := expect.Value(NewSearch(1)(tr, tuples, PruneNone))(t)
			got := enginetest.Outcomes(t, e, []graph.Global{p.KeyCandidate(0), p.KeyCandidate(1)})
			if want == nil {
				want = got
			}
			for root := range got {
				expect.Equal(t, got[root].Steps, want[root].Steps, "weights * 2 ^", power)
			}
			rounds := e.(*search).rounds
			expect.That(t, rounds <= mostRounds, "weights * 2^%d: %d rounds of a push", power, rounds)
		})
	}
}

// A push whose window does not advance ends on all ranks, with an error that describes its state.
func TestPushWithoutProgressEnds(t *testing.T) {
	list := graph.HostTuples{Edges: bfstest.Tuples(0, 1, 1, 2, 2, 3), Weights: []float32{1, 2, 3}}
	err := comm.Loopback(3, func(tr comm.Transport) error {
		e, err := NewSearch(1)(tr, enginetest.Share(list, tr), PruneNone)
		if err != nil {
			return err
		}
		e.(*search).first = float32(math.NaN()) // a reach that arithmetic cannot produce
		_, err = e.Search(0)
		expect.That(t, err != nil, "rank %d finds paths", tr.Rank())
		return err
	})
	for _, want := range []string{
		`rank 0: shortest paths make no progress in step "push"`, "window", "0 of 4 vertices are settled",
	} {
		expect.Error(t, err, want)
	}
}

// golden is a file in testdata, made with the Graph500 reference code, version 3.0.1.
type golden struct {
	Scale      int    `json:"scale"`
	EdgeFactor int64  `json:"edgefactor"`
	Seed1      uint64 `json:"seed1"`
	Seed2      uint64 `json:"seed2"`
	Searches   []struct {
		Root      int64  `json:"root"`
		Reached   int64  `json:"visited_vertices"`
		Distances string `json:"dist_fnv1a64_f32le_minus1_unreached"`
		Ties      int64  `json:"vertices_with_several_tight_parents"`
		Parents   string `json:"parents_fnv1a64_i64le_minus1_unreached"`
	} `json:"sssp"`
}

// The oracle, and so every engine, has the distances and the unique parents of the Graph500 reference code bit by bit.
func TestGoldens(t *testing.T) {
	for file, g := range expect.JSON[golden](t, "testdata/sssp_*.json", 6) {
		if testing.Short() && g.Scale > 12 {
			continue
		}
		p := kronecker.Params{Scale: g.Scale, EdgeFactor: g.EdgeFactor, Seed1: g.Seed1, Seed2: g.Seed2}
		list := graph.NewHostTuples(graph.Range{Count: p.Edges(), Weighted: true})
		p.Fill(0, list.Edges, list.Weights)
		var roots []graph.Global
		for _, s := range g.Searches {
			roots = append(roots, graph.Global(s.Root))
		}
		w := oracleOf(list, 1<<g.Scale, roots)
		for i, want := range g.Searches {
			expect.Equal(t, hashOf(w.distances[i]), want.Distances, file, "distances from root", want.Root)
			expect.That(t, want.Ties > 0 || hashOf(w.parents[i]) == want.Parents, "%s: parents from root %d", file, want.Root)
		}
		w.check(t, filepath.Base(file))
	}
}

func hashOf(values any) string {
	hash := fnv.New64a()
	_ = binary.Write(hash, binary.LittleEndian, values)
	return fmt.Sprintf("0x%016x", hash.Sum64())
}
