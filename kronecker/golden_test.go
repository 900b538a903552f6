// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"g500/graph"
	"g500/internal/expect"
)

// The files in testdata were made with the official generator, version 3.0.1: complete graphs (s*.json) and single
// edges of large graphs (spot_edges*.json).

// goldenWord is a number written as "0x...".
type goldenWord uint64

func (w *goldenWord) UnmarshalText(text []byte) error {
	v, err := strconv.ParseUint(string(text), 0, 64)
	*w = goldenWord(v)
	return err
}

// eachGraph runs a test for every complete golden graph.
func eachGraph(t *testing.T, test func(t *testing.T, g goldenGraph)) {
	for file, g := range expect.JSON[goldenGraph](t, "testdata/s[0-9]*.json", 7) {
		t.Run(filepath.Base(file), func(t *testing.T) { test(t, g) })
	}
}

// goldenGraph has the properties of a complete graph. Degrees count both ends of every tuple except self-loops.
type goldenGraph struct {
	Scale      int    `json:"scale"`
	EdgeFactor int64  `json:"edgefactor"`
	Seed1      uint64 `json:"seed1"`
	Seed2      uint64 `json:"seed2"`
	Vertices   int64  `json:"vertices"`
	Edges      int64  `json:"edges"`
	PairsSHA   string `json:"edges_sha256_u64le_pairs"`
	WeightsSHA string `json:"weights_sha256_f32le"`
	Degree     struct {
		Max      uint64 `json:"max"`
		Isolated int    `json:"isolated_vertices"`
	} `json:"degree"`
	Keys struct {
		Official  []int64 `json:"reference_64_keys"`
		Candidate []int64 `json:"candidate_index_of_each"`
		Proper    int     `json:"spec_conforming_prefix_length"`
		First     []int64 `json:"first_candidates"`
	} `json:"search_keys"`
}

func (g goldenGraph) params() Params {
	return Params{Scale: g.Scale, EdgeFactor: g.EdgeFactor, Seed1: g.Seed1, Seed2: g.Seed2}
}

func TestKeysAreOfficial(t *testing.T) {
	eachGraph(t, func(t *testing.T, g goldenGraph) {
		p := g.params()
		for k, want := range g.Keys.First {
			expect.Equal(t, int64(p.KeyCandidate(int64(k))), want, "candidate", k)
		}
		for i, k := range g.Keys.Candidate {
			expect.Equal(t, int64(p.KeyCandidate(k)), g.Keys.Official[i], "key", i, "is candidate", k)
		}
		var proper []int64 // the first 64 different candidates, among the first N, that have an edge to another vertex
		ends := endsOf(p)
		for k := int64(0); k < int64(p.Vertices()) && len(proper) < 64; k++ {
			if key := p.KeyCandidate(k); ends[key] > 0 && !slices.Contains(proper, int64(key)) {
				proper = append(proper, int64(key))
			}
		}
		expect.Equal(t, proper, g.Keys.Official[:g.Keys.Proper], "keys by the specification")
	})
}

// Section "Sampling 64 Search Keys": at large scales the second draw of a double decides the last bits of a key.
// Another program computed the candidates by the reference code's formula.
func TestKeysOfLargeGraphs(t *testing.T) {
	p := Params{Scale: 42, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	for k, want := range []graph.Global{1969563025626, 921852011783, 946708821929, 541195826782} {
		expect.Equal(t, p.KeyCandidate(int64(k)), want, "candidate", k)
	}
}
