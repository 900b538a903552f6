package kronecker

import (
	"math"
	"testing"
)

// Expectations are close to the values of official graphs.
func TestExpectedDegrees(t *testing.T) {
	eachGraph(t, func(t *testing.T, g goldenGraph) {
		if g.Scale < 10 {
			return // random deviations are too large
		}
		p := g.params()
		connected := float64(g.Vertices - int64(g.Degree.Isolated))
		if got := p.Connected(); math.Abs(got/connected-1) > 0.02 {
			t.Errorf("%g non-isolated vertices, the graph has %g", got, connected)
		}
		if got, most := p.HighestDegree(), float64(g.Degree.Max); math.Abs(got/most-1) > 0.03 {
			t.Errorf("the highest degree is %g, the graph has %g", got, most)
		}
	})
}

// Degrees are below 2^32 up to the largest problem class; the number of non-isolated vertices is up to scale 33.
func TestExpectationsOfLargeGraphs(t *testing.T) {
	for scale := 1; scale <= 42; scale++ {
		p := Params{Scale: scale, EdgeFactor: 16}
		connected := p.Connected()
		if connected <= 0 || connected > float64(p.Vertices()) || (connected < math.MaxUint32) != (scale <= 33) {
			t.Errorf("scale %d: %g non-isolated vertices", scale, connected)
		}
		if degree := p.HighestDegree(); degree >= math.MaxUint32 {
			t.Errorf("scale %d: the highest degree is %g", scale, degree)
		}
	}
}
