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
		counted, derived := float64(bytes)/draws, gapBytesIn(c.runs, c.parts, c.span)
		if math.Abs(derived/counted-1) > 0.05 {
			t.Errorf("%v: %.1f bytes, the model says %.1f", c, counted, derived)
		}
	}
}

// appendGaps draws the bits of a run, and appends the gaps between those that are set; gap is that before the first.
func appendGaps(message []byte, gap uint64, r run, rng *rand.Rand) ([]byte, uint64) {
	next := 0
	eachSet(r, rng, func(id int) {
		message = binary.AppendUvarint(message, gap+uint64(id-next))
		gap, next = 0, id+1
	})
	return message, gap + uint64(int(r.ids)-next)
}

// eachSet draws the bits of a run, each with the run's chance, and visits the ids of those that are set.
func eachSet(r run, rng *rand.Rand, visit func(id int)) {
	if r.chance == 0 {
		return
	}
	for id := 0; ; id++ { // the number of bits before the next one that is set has a geometric distribution
		if id += int(math.Log(1-rng.Float64()) / math.Log1p(-r.chance)); id >= int(r.ids) {
			return
		}
		visit(id)
	}
}

// Rows are as long as drawn ones, written as bins are: twice the lowest vertex, the parent, and twice the gaps.
func TestRowBytesAreThoseOfDrawnRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, runs := range [][]run{{{100, 0.3}, {20000, 0.002}}, {{5000, 0.0001}}, {{40, 0}, {3000, 0.05}}} {
		const draws, parent = 3000, 2
		bytes := 0
		for range draws {
			first, last := 0, -1
			for _, r := range runs {
				eachSet(r, rng, func(id int) {
					vertex := first + id
					if last < 0 {
						bytes += parent + len(binary.AppendUvarint(nil, uint64(vertex)<<1))
					} else {
						bytes += len(binary.AppendUvarint(nil, uint64(vertex-last-1)<<1|1))
					}
					last = vertex
				})
				first += int(r.ids)
			}
		}
		counted, derived := float64(bytes)/draws, rowBytes(runs, parent)
		if math.Abs(derived/counted-1) > 0.05 {
			t.Errorf("%v: %.2f bytes, the model says %.2f", runs, counted, derived)
		}
	}
}

// Classes that share a hub id share a place; each vertex is in one.
func TestPlacesHaveEveryVertexOnce(t *testing.T) {
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
