// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"testing"

	"g500/graph"
	"g500/internal/expect"
)

// Edges and weights of complete graphs have the hashes of the official generator's.
func TestGraphsAreOfficial(t *testing.T) {
	eachGraph(t, func(t *testing.T, g goldenGraph) {
		p := g.params()
		if int64(p.Vertices()) != g.Vertices || p.Edges() != g.Edges {
			t.Fatalf("%d vertices, %d edges, want %d and %d", p.Vertices(), p.Edges(), g.Vertices, g.Edges)
		}
		edges, again, weights := make([]graph.Edge, p.Edges()), make([]graph.Edge, p.Edges()), make([]float32, p.Edges())
		p.Fill(0, edges)
		p.FillWeighted(0, again, weights)
		if !slices.Equal(again, edges) {
			t.Error("FillWeighted makes other edges than Fill")
		}
		var pairs, bits []byte
		for i, e := range edges {
			pairs = binary.LittleEndian.AppendUint64(pairs, uint64(e.U()))
			pairs = binary.LittleEndian.AppendUint64(pairs, uint64(e.V()))
			bits = binary.LittleEndian.AppendUint32(bits, math.Float32bits(weights[i]))
		}
		checkSHA(t, "edges", pairs, g.PairsSHA)
		checkSHA(t, "weights", bits, g.WeightsSHA)
	})
}

func checkSHA(t *testing.T, name string, data []byte, want string) {
	t.Helper()
	sum := sha256.Sum256(data)
	expect.Equal(t, hex.EncodeToString(sum[:]), want, name, "SHA-256")
}

// degrees counts the ends of all edges at each vertex, without self-loops.
func degrees(p Params, edges []graph.Edge) []uint64 {
	degree := make([]uint64, p.Vertices())
	for _, e := range edges {
		if !e.SelfLoop() {
			degree[e.U()]++
			degree[e.V()]++
		}
	}
	return degree
}

// Indices and labels beyond 32 bits: single edges of graphs up to scale 42.
func TestSpotEdgesAreOfficial(t *testing.T) {
	type spots struct {
		Seed1, Seed2, EdgeFactor uint64
		Scales                   map[string]struct {
			Edges int64
			Spots []struct {
				Index, V0, V1 int64
				Bits          goldenWord `json:"weight_bits"`
			}
		}
	}
	for _, file := range goldenFiles(t, "spot_edges_*.json", 1) {
		g := load[spots](t, file)
		if len(g.Scales) == 0 {
			t.Fatalf("%s has no scale", file)
		}
		for name, graphs := range g.Scales {
			scale := expect.Value(strconv.Atoi(name))(t)
			p := Params{scale, int64(g.EdgeFactor), g.Seed1, g.Seed2}
			expect.Equal(t, p.Edges(), graphs.Edges, "scale", scale, "edges")
			for _, s := range graphs.Spots {
				e, w := make([]graph.Edge, 1), make([]float32, 1)
				p.FillWeighted(s.Index, e, w)
				if e[0] != graph.NewEdge(graph.Global(s.V0), graph.Global(s.V1)) || math.Float32bits(w[0]) != uint32(s.Bits) {
					t.Errorf("scale %d, edge %d: <%d, %d> with weight %g, want <%d, %d> with bits %#x",
						scale, s.Index, e[0].U(), e[0].V(), w[0], s.V0, s.V1, s.Bits)
				}
			}
		}
	}
}
