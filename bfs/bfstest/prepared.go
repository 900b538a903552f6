// SPDX-License-Identifier: Apache-2.0

package bfstest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/lists"
	"g500/kronecker"
)

// prepared is a case with the correct levels, from a search of the tuples.
type prepared struct {
	Case
	directed   bool             // edges are arcs
	neighbours [][]graph.Global // of each label; in a directed graph, targets
	levels     [][]int32        // for each root, of each label, -1 if the search does not reach it
}

func prepare(c Case, directed bool) prepared {
	p := prepared{Case: c, directed: directed}
	for _, e := range c.Edges {
		for int64(len(p.neighbours)) <= int64(max(e.U(), e.V())) {
			p.neighbours = append(p.neighbours, nil)
		}
		if !e.SelfLoop() {
			p.neighbours[e.U()] = append(p.neighbours[e.U()], e.V())
		}
		if !e.SelfLoop() && !directed {
			p.neighbours[e.V()] = append(p.neighbours[e.V()], e.U())
		}
	}
	for _, root := range c.Roots {
		tuples := graph.HostTuples{Edges: c.Edges, Arcs: directed}
		distances, _ := enginetest.Shortest(tuples, len(p.neighbours), root)
		p.levels = append(p.levels, lists.Of(distances, func(d float32) int32 { return int32(d) }))
	}
	return p
}

// golden has the results of the Graph500 reference code on one official graph.
type golden struct {
	Scale  int    `json:"scale"`
	Factor int64  `json:"edgefactor"`
	Seed1  uint64 `json:"seed1"`
	Seed2  uint64 `json:"seed2"`
	BFS    []struct {
		Root   graph.Global `json:"root"`
		Levels string       `json:"levels_sha256_i32le_minus1_unvisited"`
	} `json:"bfs"`
}

// readGoldens reads the golden files of the generator, and generates their graphs. It ends the test if the oracle has
// other levels of the N = 2^scale vertices than the reference code.
func readGoldens(t *testing.T) (all []prepared) {
	folder := "../kronecker/testdata/" // from a package's folder
	if _, err := os.Stat(folder); err != nil {
		folder = "../" + folder
	}
	for file, g := range expect.JSON[golden](t, folder+"s*_ef*.json", 7) {
		p := kronecker.Params{Scale: g.Scale, EdgeFactor: g.Factor, Seed1: g.Seed1, Seed2: g.Seed2}
		c := Case{Name: filepath.Base(file), Edges: make([]graph.Edge, p.Edges())}
		p.Fill(0, c.Edges, nil)
		for _, search := range g.BFS {
			c.Roots = append(c.Roots, search.Root)
		}
		made := prepare(c, false)
		for i, search := range g.BFS {
			levels := append(made.levels[i], slices.Repeat([]int32{-1}, 1<<g.Scale-len(made.levels[i]))...)
			bytes, _ := binary.Append(nil, binary.LittleEndian, levels)
			got := fmt.Sprintf("%x", sha256.Sum256(bytes))
			expect.Must(t, got == search.Levels, "%s, root %d: levels have SHA-256 %s, the reference code's %s", file,
				search.Root, got, search.Levels)
		}
		expect.Must(t, len(g.BFS) > 0, "%s has no search", file)
		all = append(all, made)
	}
	return all
}
