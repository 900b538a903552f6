package bfs_test

import (
	"fmt"
	"runtime"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/kronecker"
)

// BenchmarkHybrid searches the official graph of scale 20 from 64 keys in turn, on loopback. MTEPS also counts
// self-loops and small components.
func BenchmarkHybrid(b *testing.B) { benchmark(b, bfs.NewHybrid) }

// BenchmarkHybrid64 uses 64-bit positions.
func BenchmarkHybrid64(b *testing.B) { benchmark(b, bfs.NewHybrid64) }

func benchmark(b *testing.B, engine func(workers int) bfs.New) {
	p := kronecker.Params{Scale: 20, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	edges := make(graph.HostTuples, p.Edges())
	p.Fill(0, edges)
	for _, c := range []struct{ ranks, workers int }{{1, 1}, {1, 2}, {2, 1}} {
		b.Run(fmt.Sprintf("scale=%d/ranks=%d/workers=%d", p.Scale, c.ranks, c.workers), func(b *testing.B) {
			err := comm.Loopback(c.ranks, func(t comm.Transport) error {
				lo, hi := len(edges)*t.Rank()/t.Size(), len(edges)*(t.Rank()+1)/t.Size()
				e, err := engine(c.workers)(t, edges[lo:hi])
				if err != nil {
					return err
				}
				keys := connectedKeys(p, edges, 64)
				if t.Rank() == 0 {
					runtime.GC()
					b.ResetTimer()
				}
				for i := range b.N {
					if _, err := e.Search(keys[i%len(keys)]); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(p.Edges())*float64(b.N)/b.Elapsed().Seconds()/1e6, "MTEPS")
		})
	}
}

// connectedKeys returns the first official search keys, without using the engine.
func connectedKeys(p kronecker.Params, edges []graph.Edge, n int) []graph.Global {
	connected := make([]bool, p.Vertices())
	for _, e := range edges {
		if !e.SelfLoop() {
			connected[e.U()], connected[e.V()] = true, true
		}
	}
	var keys []graph.Global
	for k := int64(0); len(keys) < n; k++ {
		if v := p.KeyCandidate(k); connected[v] {
			keys = append(keys, v)
		}
	}
	return keys
}
