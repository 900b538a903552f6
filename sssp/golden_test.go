// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/graph"
	"g500/internal/expect"
	"g500/kronecker"
)

// golden is a file in testdata, made with the Graph500 reference code, version 3.0.1.
type golden struct {
	Scale      int    `json:"scale"`
	EdgeFactor int64  `json:"edgefactor"`
	Seed1      uint64 `json:"seed1"`
	Seed2      uint64 `json:"seed2"`
	Searches   []struct {
		Root      int64  `json:"root"`
		Reached   int64  `json:"visited_vertices"`
		Distances string `json:"dist_fnv1a64_f32le_minus1_unreached"`
		Ties      int64  `json:"vertices_with_several_tight_parents"`
		Parents   string `json:"parents_fnv1a64_i64le_minus1_unreached"`
	} `json:"sssp"`
}

// Distances, and unique parents, equal the results of the Graph500 reference code bit by bit.
func TestGoldens(t *testing.T) {
	files, err := filepath.Glob("testdata/sssp_*.json")
	if err != nil || len(files) < 6 {
		t.Fatalf("testdata: %d files, %v, want at least 6", len(files), err)
	}
	for _, file := range files {
		var g golden
		expect.NoError(t, json.Unmarshal([]byte(expect.Read(t, file)), &g))
		if testing.Short() && g.Scale > 12 {
			continue
		}
		p := kronecker.Params{Scale: g.Scale, EdgeFactor: g.EdgeFactor, Seed1: g.Seed1, Seed2: g.Seed2}
		edges, weights := make([]graph.Edge, p.Edges()), make([]float32, p.Edges())
		p.FillWeighted(0, edges, weights)
		var roots []graph.Global
		for _, s := range g.Searches {
			roots = append(roots, graph.Global(s.Root))
		}
		for _, c := range trials() {
			if g.Scale > 12 && strings.HasPrefix(c.name, "Bellman") {
				continue // slow, and tested with the other files
			}
			t.Run(fmt.Sprintf("%s, %s, %d ranks", filepath.Base(file), c.name, c.ranks), func(t *testing.T) {
				of := oracle{edges: edges, weights: weights, roots: roots}
				g.compare(t, of.searchAll(t, c.kernel1, c.ranks))
			})
		}
	}
}

func (g golden) compare(t *testing.T, all []found) {
	for i, f := range all {
		want, isolated := g.Searches[i], 1<<g.Scale-len(f.distances)
		distances := append(f.distances, slices.Repeat([]float32{Unreached}, isolated)...)
		expect.Equal(t, hashOf(distances), want.Distances, "distances from root", want.Root)
		if want.Ties == 0 {
			parents := append(f.parents, slices.Repeat([]graph.Global{graph.NoParent}, isolated)...)
			expect.Equal(t, hashOf(parents), want.Parents, "parents from root", want.Root)
		}
	}
}

func hashOf(values any) string {
	hash := fnv.New64a()
	_ = binary.Write(hash, binary.LittleEndian, values)
	return fmt.Sprintf("0x%016x", hash.Sum64())
}
