package plot

import (
	"slices"
	"testing"

	"g500/internal/expect"
)

func TestDegrees(t *testing.T) {
	p := OfDegrees([]Degrees{{"star", []int64{3, 100, 0, 0, 1}}, {"no edges", []int64{5}}, {"grid", []int64{0, 0, 4, 9}}})
	found := texts(t, expect.Written(t, p.WriteSVG))
	for _, want := range []string{"Vertices by degree", "vertices", "star", "grid", "100"} {
		if !slices.Contains(found, want) {
			t.Errorf("no %q in %q", want, found)
		}
	}
	if slices.Contains(found, "no edges") {
		t.Error("a graph without edges has a line")
	}
	if star, want := p.lines[0].points, exact([]float64{1, 8}, []float64{100, 1}, 0); !slices.Equal(star, want) {
		t.Errorf("points %v, want %v", star, want)
	}
	if OfDegrees([]Degrees{{"no edges", []int64{5}}}) != nil {
		t.Error("a picture of nothing")
	}
}
