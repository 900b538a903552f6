// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"slices"
	"testing"

	"g500/graph"
	"g500/internal/expect"
)

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
		expect.Equal(t, proper, g.Keys.Official[:g.Keys.Proper], "keys by the specification")
	})
}

// properKeys returns the first 64 different candidates, among the first N, that have an edge to another vertex.
func properKeys(p Params, degree []uint64) (keys []int64) {
	for k := int64(0); k < int64(p.Vertices()) && len(keys) < 64; k++ {
		key := p.KeyCandidate(k)
		if degree[key] > 0 && !slices.Contains(keys, int64(key)) {
			keys = append(keys, int64(key))
		}
	}
	return keys
}

// Section "Sampling 64 Search Keys": at large scales the second draw of a double decides the last bits of a key.
// Another program computed the candidates by the reference code's formula.
func TestKeysOfLargeGraphs(t *testing.T) {
	p := Params{Scale: 42, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	for k, want := range []graph.Global{1969563025626, 921852011783, 946708821929, 541195826782} {
		expect.Equal(t, p.KeyCandidate(int64(k)), want, "candidate", k)
	}
}

// A key is a label even if the sum of both doubles is more than 1, and at the largest scale.
func TestKeyCandidatesAreLabels(t *testing.T) {
	for _, scale := range []int{1, 20, graph.MaxScale} {
		p := Params{scale, 16, 2, 3}
		upper := 0
		for k := range int64(1000) {
			key := p.KeyCandidate(k)
			if key < 0 || key >= p.Vertices() {
				t.Fatalf("scale %d, candidate %d: %d is not a label", scale, k, key)
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
