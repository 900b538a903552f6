package kronecker

import (
	"testing"

	"g500/graph"
)

// The official program's weights can be exactly 1, which the specification's range excludes: in single precision the
// largest random numbers round up. At scale 20 one tuple has such a weight.
func TestAWeightIsExactlyOne(t *testing.T) {
	p := Params{Scale: 20, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	edges, weights := make([]graph.Edge, 3), make([]float32, 3)
	p.FillWeighted(2705168, edges, weights)
	if weights[0] >= 1 || weights[1] != 1 || weights[2] >= 1 {
		t.Errorf("weights %v, want only the second to be 1", weights)
	}
	const most = 1<<31 - 2 // of the random numbers
	for draw, want := range map[uint64]bool{most: true, most - 62: true, most - 63: false} {
		if got := weight(draw) == 1; got != want {
			t.Errorf("the random number %d makes a weight of 1: %t", draw, got)
		}
	}
}
