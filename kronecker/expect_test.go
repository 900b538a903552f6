package kronecker

import (
	"math"
	"testing"
)

// What is expected of a graph is near what the official one has.
func TestExpectedDegrees(t *testing.T) {
	eachGraph(t, func(t *testing.T, g goldenGraph) {
		if g.Scale < 10 {
			return // chance is too great
		}
		p := g.params()
		connected := float64(g.Vertices - int64(g.Degree.Isolated))
		if got := p.Connected(); math.Abs(got/connected-1) > 0.02 {
			t.Errorf("%g vertices with an edge, the graph has %g", got, connected)
		}
		if got, most := p.HighestDegree(), float64(g.Degree.Max); math.Abs(got/most-1) > 0.03 {
			t.Errorf("the highest degree is %g, that of the graph %g", got, most)
		}
	})
}

// Up to the largest problem class degrees stay below 2^32; vertices with an edge do up to scale 33.
func TestExpectationsOfLargeGraphs(t *testing.T) {
	for scale := 1; scale <= 42; scale++ {
		p := Params{Scale: scale, EdgeFactor: 16}
		connected := p.Connected()
		if connected <= 0 || connected > float64(p.Vertices()) || (connected < math.MaxUint32) != (scale <= 33) {
			t.Errorf("scale %d: %g vertices with an edge", scale, connected)
		}
		if degree := p.HighestDegree(); degree >= math.MaxUint32 {
			t.Errorf("scale %d: the highest degree is %g", scale, degree)
		}
	}
}
