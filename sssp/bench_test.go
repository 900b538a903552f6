package sssp

import (
	"context"
	"runtime"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/kronecker"
)

// BenchmarkSearch searches the official graph of scale 18 from its first keys, and tells edges of the whole graph a
// second: nearly all are in one component.
func BenchmarkSearch(b *testing.B) {
	workers := runtime.GOMAXPROCS(0)
	p := kronecker.Params{Scale: 20, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	edges, weights := make([]graph.Edge, p.Edges()), make([]float32, p.Edges())
	if err := p.FillParallelWeighted(context.Background(), 0, edges, weights, workers, nil); err != nil {
		b.Fatal(err)
	}
	err := comm.Loopback(1, func(t comm.Transport) error {
		e, err := NewSearch(workers)(t, graph.HostWeightedTuples{HostTuples: edges, Weights: weights}, PruneNone)
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
			if _, err := e.SSSP(keys[i%len(keys)]); err != nil {
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
