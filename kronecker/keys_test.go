package kronecker

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"g500/graph"
)

func TestDoublesAreOfficial(t *testing.T) {
	eachRNG(t, func(t *testing.T, g goldenRNG) {
		for _, c := range g.Doubles {
			state := g.Seeded.skip(2, 0, 2*c.Position)
			if state != c.State {
				t.Fatalf("double %d starts at %v, want %v", c.Position, state, c.State)
			}
			draws := state
			if got := drawN(&draws, 4); !slices.Equal(got, c.Raw4) {
				t.Errorf("double %d: draws %v, want %v", c.Position, got, c.Raw4)
			}
			for i, want := range []goldenWord{c.D0, c.D1} {
				if d := drawDouble(&state); math.Float64bits(d) != uint64(want) {
					t.Errorf("double %d: %v (%#x), want %#x", int(c.Position)+i, d, math.Float64bits(d), want)
				}
			}
		}
	})
	eachGraph(t, func(t *testing.T, g goldenGraph) {
		for k, pair := range g.Keys.FirstPairs {
			state := g.State.skip(2, 0, 4*uint64(k))
			for i, digits := range pair {
				want, err := strconv.ParseFloat(digits, 64)
				if got := drawDouble(&state); err != nil || got != want {
					t.Errorf("candidate %d, double %d: %x, want %s, %v", k, i, got, digits, err)
				}
			}
		}
	})
}

func TestKeysAreOfficial(t *testing.T) {
	eachGraph(t, func(t *testing.T, g goldenGraph) {
		p := g.params()
		for k, want := range g.Keys.First {
			if got := p.KeyCandidate(int64(k)); int64(got) != want {
				t.Errorf("candidate %d: %d, want %d", k, got, want)
			}
		}
		for i, k := range g.Keys.Candidate {
			if got := p.KeyCandidate(k); int64(got) != g.Keys.Official[i] {
				t.Errorf("key %d, candidate %d: %d, want %d", i, k, got, g.Keys.Official[i])
			}
		}
		edges := make([]graph.Edge, p.Edges())
		p.Fill(0, edges)
		proper := properKeys(p, degrees(p, edges))
		if want := g.Keys.Official[:g.Keys.Proper]; !slices.Equal(proper, want) {
			t.Errorf("keys by the specification: %v, want %v", proper, want)
		}
	})
}

// properKeys are the first 64 candidates that are different and have an edge to another vertex, or those that
// the first N candidates hold.
func properKeys(p Params, degree []uint64) (keys []int64) {
	for k := int64(0); k < int64(p.Vertices()) && len(keys) < 64; k++ {
		key := p.KeyCandidate(k)
		if degree[key] > 0 && !slices.Contains(keys, int64(key)) {
			keys = append(keys, int64(key))
		}
	}
	return keys
}

// A key is a label also where the two doubles add up to more than 1, and at the largest scale.
func TestKeyCandidatesAreLabels(t *testing.T) {
	for _, scale := range []int{1, 20, graph.MaxScale} {
		p := Params{scale, 16, 2, 3}
		upper := 0
		for k := range int64(1000) {
			key := p.KeyCandidate(k)
			if key < 0 || key >= p.Vertices() {
				t.Fatalf("scale %d, candidate %d: %d is no label", scale, k, key)
			}
			if key >= p.Vertices()/2 {
				upper++
			}
		}
		if upper < 400 || upper > 600 {
			t.Errorf("scale %d: %d of 1000 candidates in the upper half of the labels", scale, upper)
		}
	}
}
