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
)

func TestGraphsAreOfficial(t *testing.T) {
	eachGraph(t, func(t *testing.T, g goldenGraph) {
		p := g.params()
		if int64(p.Vertices()) != g.Vertices || p.Edges() != g.Edges {
			t.Fatalf("%d vertices, %d edges, want %d and %d", p.Vertices(), p.Edges(), g.Vertices, g.Edges)
		}
		edges := make([]graph.Edge, p.Edges())
		p.Fill(0, edges)
		checkFew(t, edges, g.First)
		checkFew(t, edges[len(edges)-len(g.Last):], g.Last)
		checkSHA(t, "pairs", edges, appendPair, g.PairsSHA)
		checkSHA(t, "packed", edges, appendPacked, g.PackedSHA)

		again, weights := make([]graph.Edge, p.Edges()), make([]float32, p.Edges())
		p.FillWeighted(0, again, weights)
		if !slices.Equal(again, edges) {
			t.Error("FillWeighted makes other edges than Fill")
		}
		checkWeights(t, g, weights)
		checkDegrees(t, g, edges)
	})
}

func checkFew(t *testing.T, edges []graph.Edge, want [][2]int64) {
	t.Helper()
	for i, labels := range want {
		if e := edges[i]; e != newEdge(labels) {
			t.Errorf("edge %d of these: <%d, %d>, want %v", i, e.U(), e.V(), labels)
		}
	}
}

// checkSHA compares the hash of a list, each element in the bytes that app appends for it.
func checkSHA[T any](t *testing.T, what string, list []T, app func([]byte, T) []byte, want string) {
	t.Helper()
	var raw []byte
	for _, v := range list {
		raw = app(raw, v)
	}
	sum := sha256.Sum256(raw)
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("%s: SHA-256 %s, want %s", what, got, want)
	}
}

func appendPair(b []byte, e graph.Edge) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(e.U()))
	return binary.LittleEndian.AppendUint64(b, uint64(e.V()))
}

// appendPacked appends the official record of twelve bytes.
func appendPacked(b []byte, e graph.Edge) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(e.U()))
	b = binary.LittleEndian.AppendUint32(b, uint32(e.V()))
	b = binary.LittleEndian.AppendUint16(b, uint16(e.U()>>32))
	return binary.LittleEndian.AppendUint16(b, uint16(e.V()>>32))
}

func appendFloat(b []byte, w float32) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(w))
}

func checkWeights(t *testing.T, g goldenGraph, weights []float32) {
	t.Helper()
	checkSHA(t, "weights", weights, appendFloat, g.WeightsSHA)
	ones := 0
	for i, w := range weights {
		if w == 1 {
			ones++
		}
		if i < len(g.FirstWeight) && math.Float32bits(w) != uint32(g.FirstWeight[i]) {
			t.Errorf("weight %d: bits %#x, want %#x", i, math.Float32bits(w), g.FirstWeight[i])
		}
	}
	if ones != g.Ones {
		t.Errorf("%d weights are 1, want %d", ones, g.Ones)
	}
	if least, most := slices.Min(weights), slices.Max(weights); least != g.WeightMin || most != g.WeightMax {
		t.Errorf("weights from %g to %g, want %g to %g", least, most, g.WeightMin, g.WeightMax)
	}
}

func checkDegrees(t *testing.T, g goldenGraph, edges []graph.Edge) {
	t.Helper()
	var loops, sum uint64
	for _, e := range edges {
		if e.SelfLoop() {
			loops++
		}
	}
	if int64(loops) != g.Loops || int64(len(edges))-int64(loops) != g.NonLoops {
		t.Errorf("%d self-loops of %d edges, want %d beside %d", loops, len(edges), g.Loops, g.NonLoops)
	}
	degree := degrees(g.params(), edges)
	isolated, highest := 0, 0
	for v, d := range degree {
		sum += d
		if d == 0 {
			isolated++
		} else {
			highest = v
		}
	}
	most := slices.Max(degree)
	if want := g.Degree; most != want.Max || slices.Index(degree, most) != want.ArgMax || sum != want.Sum ||
		isolated != want.Isolated || highest != want.Highest {
		t.Errorf("degrees: most %d at %d, sum %d, %d isolated, highest used label %d; want %+v",
			most, slices.Index(degree, most), sum, isolated, highest, want)
	}
	checkSHA(t, "degrees", degree, binary.LittleEndian.AppendUint64, g.Degree.SHA)
}

// degrees counts the ends of all edges but self-loops at each vertex.
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
			t.Fatalf("%s names no scale", file)
		}
		for name, graphs := range g.Scales {
			scale, err := strconv.Atoi(name)
			if err != nil {
				t.Fatal(err)
			}
			p := Params{scale, int64(g.EdgeFactor), g.Seed1, g.Seed2}
			if p.Edges() != graphs.Edges {
				t.Errorf("scale %d: %d edges, want %d", scale, p.Edges(), graphs.Edges)
			}
			for _, s := range graphs.Spots {
				e, w := make([]graph.Edge, 1), make([]float32, 1)
				p.FillWeighted(s.Index, e, w)
				if e[0] != newEdge([2]int64{s.V0, s.V1}) || math.Float32bits(w[0]) != uint32(s.Bits) {
					t.Errorf("scale %d, edge %d: <%d, %d> with weight %g, want <%d, %d> with bits %#x",
						scale, s.Index, e[0].U(), e[0].V(), w[0], s.V0, s.V1, s.Bits)
				}
			}
		}
	}
}
