package model

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// Gaps are as long as those of bits drawn one by one, and written as varints.
func TestGapBytesAreThoseOfDrawnBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, runs := range [][]run{
		{{100, 0.9}, {5000, 0.02}, {300000, 0.0005}},
		{{2000, 0}, {64, 1}, {100000, 0.006}},
		{{50, 0.1}},
		{{1 << 20, 0.00002}},
	} {
		const draws = 200
		bytes := 0
		for range draws {
			var message []byte
			gap := uint64(0)
			for _, r := range runs {
				for range int(r.ids) {
					if rng.Float64() < r.chance {
						message = binary.AppendUvarint(message, gap)
						gap = 0
					} else {
						gap++
					}
				}
			}
			bytes += len(message)
		}
		counted, derived := float64(bytes)/draws, gapBytes(runs)
		if math.Abs(derived/counted-1) > 0.05 {
			t.Errorf("%v: %.1f bytes, the model says %.1f", runs, counted, derived)
		}
	}
}

// The order has all vertices of the core, and as many leaves as it is asked for, by falling degree.
func TestHubOrderHasTheCore(t *testing.T) {
	g := graphOf(t, 20)
	const leaves = 1000
	vertices, before := 0.0, math.Inf(1)
	for _, s := range g.hubOrder(leaves) {
		if s.degree >= before {
			t.Fatalf("degree %g comes after %g", s.degree, before)
		}
		before = s.degree
		vertices += s.vertices()
	}
	if want := g.Core + leaves; math.Abs(vertices/want-1) > 0.002 {
		t.Errorf("%.0f vertices, not %.0f", vertices, want)
	}
}

// Ranks have as many core vertices at most as the expected highest of so many draws.
func TestLongestCoreIsTheHighestOfDraws(t *testing.T) {
	g := graphOf(t, 16)
	rng := rand.New(rand.NewPCG(3, 4))
	for _, ranks := range []float64{8, 64, 512} {
		const draws = 100
		sum := 0.0
		for range draws {
			highest := 0
			for range int(ranks) {
				core := 0
				for range int(g.Labels / ranks) {
					if rng.Float64() < g.Core/g.Labels {
						core++
					}
				}
				highest = max(highest, core)
			}
			sum += float64(highest)
		}
		if counted, derived := sum/draws, g.longestCore(ranks); math.Abs(derived/counted-1) > 0.02 {
			t.Errorf("%g ranks: the longest core has %.1f vertices, the model says %.1f", ranks, counted, derived)
		}
	}
}
