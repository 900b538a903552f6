package model

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// TestGapBytes compares the modelled length of gaps with varints of drawn bits.
func TestGapBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		runs        []run
		parts, span float64
	}{
		{[]run{{100, 0.9}, {5000, 0.02}, {300000, 0.0005}}, 1, 0},
		{[]run{{2000, 0}, {64, 1}, {100000, 0.006}}, 1, 0},
		{[]run{{50, 0.1}}, 1, 0},
		{[]run{{1 << 20, 0.00002}}, 1, 0},
		{[]run{{600, 0}, {2000, 0.01}, {10000, 0.0003}}, 8, 1 << 20},
		{[]run{{600, 0}, {10000, 0.00002}}, 16, 1 << 20},
	} {
		const draws = 500
		bytes := 0
		for range draws {
			var message []byte
			gap := uint64(rng.Float64() * c.span)
			for range int(c.parts) {
				for _, r := range c.runs {
					message, gap = appendGaps(message, gap, r, rng)
				}
			}
			bytes += len(message)
		}
		counted, derived := float64(bytes)/draws, gapBytes(c.runs, c.parts, c.span)
		if math.Abs(derived/counted-1) > 0.05 {
			t.Errorf("%v: %.1f bytes counted, the model has %.1f", c, counted, derived)
		}
	}
}

// appendGaps draws the bits of a run, and appends the gaps before those that are set; gap is the length before the run.
func appendGaps(message []byte, gap uint64, r run, rng *rand.Rand) ([]byte, uint64) {
	if r.chance == 0 {
		return message, gap + uint64(r.ids)
	}
	for id, next := 0, 0; ; id++ { // the number of bits before the next one that is set has a geometric distribution
		if id += int(math.Log(1-rng.Float64()) / math.Log1p(-r.chance)); id >= int(r.ids) {
			return message, gap + uint64(int(r.ids)-next)
		}
		message = binary.AppendUvarint(message, gap+uint64(id-next))
		gap, next = 0, id+1
	}
}

// TestPlacesOf checks that each vertex is in one place, and that classes with a common id share a place.
func TestPlacesOf(t *testing.T) {
	first := []float64{0, 0.02, 0.4, 2.7, 10, 10.5, 10.7, 31}
	shares := make([]float64, len(first)-1)
	places := placesOf(first)
	for _, p := range places {
		for _, m := range p {
			shares[m.class] += m.share
		}
	}
	for class, share := range shares {
		if math.Abs(share-1) > 1e-12 {
			t.Errorf("class %d is in the places %g times", class, share)
		}
	}
	if first := places[0]; len(first) != 3 || len(places[1]) != 1 || places[1][0].class != 2 {
		t.Errorf("the first places are %v", places[:2])
	}
}

// TestDegreeOrder checks that the order has the non-leaf subgraph and the given leaves, by decreasing degree.
func TestDegreeOrder(t *testing.T) {
	g := graphOf(t, 20)
	const leaves = 1000
	vertices, before := 0.0, math.Inf(1)
	for _, s := range g.degreeOrder(leaves) {
		if s.degree >= before {
			t.Fatalf("degree %g comes after %g", s.degree, before)
		}
		before = s.degree
		vertices += s.vertices()
	}
	if want := g.Inner + leaves; math.Abs(vertices/want-1) > 0.002 {
		t.Errorf("%.0f vertices, not %.0f", vertices, want)
	}
}

// TestLongestPart compares the expected longest part with the maximum of draws.
func TestLongestPart(t *testing.T) {
	g := graphOf(t, 16)
	rng := rand.New(rand.NewPCG(3, 4))
	for _, ranks := range []float64{8, 64, 512} {
		const draws = 100
		sum := 0.0
		for range draws {
			longest := 0.0
			for range int(ranks) {
				longest = max(longest, binomial(rng, math.Floor(g.Labels/ranks), g.Inner/g.Labels))
			}
			sum += longest
		}
		if counted, derived := sum/draws, g.longestPart(ranks); math.Abs(derived/counted-1) > 0.02 {
			t.Errorf("%g ranks: the longest part has %.1f vertices, the model has %.1f", ranks, counted, derived)
		}
	}
}
