package sssp

import (
	"runtime"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/kronecker"
)

// benchmarkScale is the scale of an official graph whose structure is much larger than the caches.
const benchmarkScale = 20

// BenchmarkKernel1 builds and prunes the structure.
func BenchmarkKernel1(b *testing.B) {
	_, tuples := officialShare(0, 1, benchmarkScale)
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

// BenchmarkSearch searches from the first keys. MTEPS counts all edges, nearly all of which are in one component.
func BenchmarkSearch(b *testing.B) {
	p, tuples := officialShare(0, 1, benchmarkScale)
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
