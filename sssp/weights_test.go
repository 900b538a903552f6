package sssp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"g500/graph"
)

// oddWeights draw weights unlike the official graph's, which are uniform below 1.
var oddWeights = []struct {
	name string
	draw func(*rand.Rand) float32
}{
	{"from 2^-30 to 2^60", func(r *rand.Rand) float32 { return float32(math.Ldexp(1+r.Float64(), r.IntN(90)-30)) }},
	{"powers of two", func(r *rand.Rand) float32 { return float32(math.Ldexp(1, r.IntN(91)-30)) }},
	{"metres of roads", func(r *rand.Rand) float32 { return float32(1 + r.IntN(100_000)) }},
	{"large and fractional", func(r *rand.Rand) float32 { return 1e6 + 1e6*r.Float32() }},
	{"small", func(r *rand.Rand) float32 { return 0x1p-30 * r.Float32() }},
	{"zero", func(*rand.Rand) float32 { return 0 }},
	{"all 2^60", func(*rand.Rand) float32 { return 0x1p60 }},
	{"all 16384", func(*rand.Rand) float32 { return 16384 }},
	{"zero and large", func(r *rand.Rand) float32 { return float32(r.IntN(2)) * 0x1p40 }},
	{"a few huge among tiny", func(r *rand.Rand) float32 {
		if r.IntN(20) == 0 {
			return 0x1p60 * (1 + r.Float32())
		}
		return 0x1p-30 * (1 + r.Float32())
	}},
	{"vanishing in a sum", func(r *rand.Rand) float32 { return []float32{1, 16384, 0x1p-24, 0x1p-30, 0}[r.IntN(5)] }},
}

// oddGraphs are random graphs with some vertices of many edges, long paths, and several components.
func oddGraphs() (all [][]graph.Edge) {
	for seed, size := range []struct{ vertices, edges, chain int }{
		{12, 20, 4}, {90, 200, 0}, {300, 500, 120}, {400, 2500, 30},
	} {
		r := rand.New(rand.NewPCG(uint64(seed), 35))
		var edges []graph.Edge
		for range size.edges {
			u := r.IntN(size.vertices)
			if r.IntN(2) == 0 {
				u = r.IntN(1 + size.vertices/20)
			}
			edges = append(edges, graph.NewEdge(graph.Global(u), graph.Global(r.IntN(size.vertices))))
		}
		for v := range size.chain {
			edges = append(edges, graph.NewEdge(graph.Global(size.vertices+v), graph.Global(size.vertices+v+1)))
		}
		all = append(all, append(edges, graph.NewEdge(0, graph.Global(size.vertices+1))))
	}
	return all
}

// All engines find Dijkstra's distances to the bit, and trees, whatever the weights, on any number of ranks.
func TestAnyWeights(t *testing.T) {
	for i, edges := range oddGraphs() {
		last := graph.Global(0)
		for _, e := range edges {
			last = max(last, e.U(), e.V())
		}
		for _, kind := range oddWeights {
			oracleOf(edges, draw(len(edges), kind.draw), []graph.Global{0, last, (last + 1) / 2}).
				hold(t, fmt.Sprintf("graph %d, weights %s", i, kind.name))
		}
	}
}
