package sssp

import (
	"context"
	"runtime"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/kronecker"
)

// benchmarkScale is the scale of the official graph, whose structure is far larger than the caches.
const benchmarkScale = 20

// official makes the tuples of the official graph.
func official(b *testing.B, scale int) (kronecker.Params, graph.HostWeightedTuples) {
	p := kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	t := graph.HostWeightedTuples{HostTuples: make([]graph.Edge, p.Edges()), Weights: make([]float32, p.Edges())}
	err := p.FillParallel(context.Background(), 0, t.HostTuples, t.Weights, runtime.GOMAXPROCS(0), nil)
	if err != nil {
		b.Fatal(err)
	}
	return p, t
}

// BenchmarkKernel1 builds the structure, and prunes it.
func BenchmarkKernel1(b *testing.B) {
	_, tuples := official(b, benchmarkScale)
	for _, prune := range []Pruning{PruneNone, PruneHub} {
		b.Run("prune="+string(prune), func(b *testing.B) {
			for b.Loop() {
				err := comm.Loopback(1, func(t comm.Transport) error {
					_, err := NewSearch(runtime.GOMAXPROCS(0))(t, tuples, prune)
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSearch searches from the first keys, and tells edges of the whole graph a second: nearly all are in one
// component.
func BenchmarkSearch(b *testing.B) {
	p, tuples := official(b, benchmarkScale)
	for _, prune := range []Pruning{PruneNone, PruneHub} {
		b.Run("prune="+string(prune), func(b *testing.B) { benchmarkSearch(b, p, tuples, prune) })
	}
}

func benchmarkSearch(b *testing.B, p kronecker.Params, tuples graph.HostWeightedTuples, prune Pruning) {
	err := comm.Loopback(1, func(t comm.Transport) error {
		e, err := NewSearch(runtime.GOMAXPROCS(0))(t, tuples, prune)
		if err != nil {
			return err
		}
		var keys []graph.Global
		for i := int64(0); len(keys) < 16; i++ {
			v := p.KeyCandidate(i)
			if v < e.Layout().Vertices() && e.HasEdge(e.Layout().Local(v)) {
				keys = append(keys, v)
			}
		}
		for i := 0; b.Loop(); i++ {
			if _, err := e.Search(keys[i%len(keys)]); err != nil {
				return err
			}
		}
		b.ReportMetric(float64(p.Edges())*float64(b.N)/b.Elapsed().Seconds()/1e6, "MTEPS")
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
