package validate

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/partition"
)

// benchScale is log2 of the number of vertices of the benchmark graph, which has 16 tuples per vertex.
const benchScale = 20

// rmat draws a tuple with the official quadrant probabilities. Labels are scrambled, so hubs are scattered as in an
// official graph.
func rmat(rng *rand.Rand, scale int) graph.Edge {
	var u, v uint64
	for range scale {
		u, v = u<<1, v<<1
		switch p := rng.Float64(); {
		case p < 0.57:
		case p < 0.76:
			v |= 1
		case p < 0.95:
			u |= 1
		default:
			u, v = u|1, v|1
		}
	}
	scramble := func(x uint64) graph.Global {
		return graph.Global((x*0x9E3779B97F4A7C15 + 12345) * 0xD1B54A32D192ED03 & (1<<scale - 1))
	}
	return graph.NewEdge(scramble(u), scramble(v))
}

// benchGraph returns tuples and a tree, which are made once for all benchmarks.
var benchGraph = sync.OnceValues(func() ([]graph.Edge, []graph.Global) {
	rng := rand.New(rand.NewPCG(2, 3))
	edges := make([]graph.Edge, 16<<benchScale)
	for i := range edges {
		edges[i] = rmat(rng, benchScale)
	}
	return edges, plainBFS(1<<benchScale, edges, edges[0].U())
})

func BenchmarkNew(b *testing.B) {
	benchmark(b, func(b *testing.B, t comm.Transport, layout partition.Layout, edges []graph.Edge, workers int) error {
		for range b.N {
			if _, err := New(t, layout, graph.HostTuples(edges), workers); err != nil {
				return err
			}
		}
		return nil
	})
}

func BenchmarkTree(b *testing.B) {
	benchmark(b, func(b *testing.B, t comm.Transport, layout partition.Layout, edges []graph.Edge, workers int) error {
		all, parents := benchGraph()
		mine := ownPart(layout, t.Rank(), parents)
		j, err := New(t, layout, graph.HostTuples(edges), workers)
		if err != nil {
			return err
		}
		if err := t.Barrier(); err != nil {
			return err
		}
		if t.Rank() == 0 {
			b.ResetTimer()
		}
		for range b.N {
			if v, err := j.Tree(all[0].U(), mine); err != nil || v.Fault != nil {
				return fmt.Errorf("a valid tree is refused: %v, %v", v.Fault, err)
			}
		}
		return nil
	})
}

// benchmark runs body on one and two ranks with the benchmark graph and two workers in total.
func benchmark(b *testing.B, body func(*testing.B, comm.Transport, partition.Layout, []graph.Edge, int) error) {
	for _, ranks := range []int{1, 2} {
		b.Run(fmt.Sprintf("ranks=%d", ranks), func(b *testing.B) {
			edges, _ := benchGraph()
			layout := partition.NewCyclic(1<<benchScale, ranks)
			b.ResetTimer()
			b.ReportAllocs()
			err := comm.Loopback(ranks, func(t comm.Transport) error {
				return body(b, t, layout, edgePart(edges, t.Rank(), ranks), 2/ranks)
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(len(edges))*float64(b.N)/1e6/b.Elapsed().Seconds(), "Mtuples/s")
		})
	}
}
