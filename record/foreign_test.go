package record

import (
	"math"
	"testing"
)

// Two searches of a graph with 4 vertices and 5 edges, of which 8 tuples are in the component of the roots.
func TestForeignRatesByHand(t *testing.T) {
	k := KernelRun{Kernel: BFS, Keys: 2, Searches: []Search{
		{Key: 0, Root: 1, Seconds: 1, Edges: 7, EdgesWithLoops: 8, Reached: 4, Levels: 2},
		{Key: 1, Root: 2, Seconds: 3, Edges: 7, EdgesWithLoops: 8, Reached: 4, Levels: 2},
	}}
	r := &Run{Scale: 2, EdgeFactor: 2, Ranks: 1, Kernels: []KernelRun{k}}
	if st := r.Statistics(k); st.TEPS == nil || st.Foreign != nil {
		t.Errorf("without a count: %+v", st)
	}
	r.Simple = &SimpleGraph{Vertices: 4, Edges: 5}
	f := r.Statistics(k).Foreign
	if near := func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }; f == nil || !near(f.EVPS.HarmonicMean, 9/2.) ||
		!near(f.EVPS.Max, 9) || f.CuGraph == nil || !near(f.CuGraph.HarmonicMean, 5/2.) || !near(f.CuGraph.Min, 5/3.) {
		t.Fatalf("%+v", f)
	}
	r.EdgeFactor = 3 // four tuples are elsewhere
	if f = r.Statistics(k).Foreign; f == nil || f.CuGraph != nil || f.EVPS.Max != 9 {
		t.Errorf("with other components: %+v", f)
	}
	r.Kernels[0].Searches[0].Fault = "rule 1"
	if r.Statistics(r.Kernels[0]).Foreign != nil {
		t.Error("an invalid run has rates")
	}
}
