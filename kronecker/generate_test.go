// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"g500/comm/commtest"
	"g500/graph"
	"g500/internal/expect"
)

// Edges and weights of complete graphs have the hashes of the official generator's.
func TestGraphsAreOfficial(t *testing.T) {
	eachGraph(t, func(t *testing.T, g goldenGraph) {
		p := g.params()
		expect.Equal(t, []int64{int64(p.Vertices()), p.Edges()}, []int64{g.Vertices, g.Edges}, "vertices and edges")
		edges, weights := make([]graph.Edge, p.Edges()), make([]float32, p.Edges())
		p.Fill(0, edges, weights)
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
	for file, g := range expect.JSON[spots](t, "testdata/spot_edges_*.json", 1) {
		expect.Must(t, len(g.Scales) != 0, "%s has no scale", file)
		for name, graphs := range g.Scales {
			scale := expect.Value(strconv.Atoi(name))(t)
			p := Params{scale, int64(g.EdgeFactor), g.Seed1, g.Seed2}
			expect.Equal(t, p.Edges(), graphs.Edges, "scale", scale, "edges")
			for _, s := range graphs.Spots {
				e, w := make([]graph.Edge, 1), make([]float32, 1)
				p.Fill(s.Index, e, w)
				expect.Equal(t, e[0], graph.NewEdge(graph.Global(s.V0), graph.Global(s.V1)), "scale", scale, "edge", s.Index)
				expect.Equal(t, math.Float32bits(w[0]), uint32(s.Bits), "scale", scale, "weight of edge", s.Index)
			}
		}
	}
}

// Draws below 3647 = (2^31-1) mod 10000 are rejected, so all remainders have the same probability.
func TestLowDrawsAreRejected(t *testing.T) {
	for first, draws := range map[int64]int{0: 2, 3646: 2, 3647: 1, modulus - 1: 1} {
		got, want := stateBefore(first), stateBefore(first)
		drawAccepted(&got)
		drawN(&want, draws)
		expect.That(t, got == want, "after a level that begins with draw %d: state %v, want the one after %d draws, %v",
			first, got, draws, want)
	}
}

// stateBefore returns a state whose next draw is the given one.
func stateBefore(draw int64) rng {
	p := big.NewInt(modulus)
	z := new(big.Int).ModInverse(big.NewInt(recent), p)
	z.Mul(z, big.NewInt(draw)).Mod(z, p)
	return rng{z.Uint64(), 1, 1, 1, 0}
}

// Weights can be exactly 1, as in the Graph500 reference code and against the specification, because the largest random
// numbers are rounded up to single precision.
func TestWeightsCanBeOne(t *testing.T) {
	const most = 1<<31 - 2 // of the random numbers
	for draw, want := range map[uint64]bool{most: true, most - 62: true, most - 63: false} {
		expect.Equal(t, weight(draw) == 1, want, "the random number", draw, "makes a weight of 1")
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		p      Params
		refuse string // text of the error, "" for none
	}{
		{"smallest", Params{Scale: 1, EdgeFactor: 1}, ""},
		{"official", Params{26, 16, 2, 3}, ""},
		{"largest scale", Params{47, 16, 2, 3}, ""},
		{"any seeds", Params{10, 16, math.MaxUint64, 0}, ""},
		{"most edges", Params{Scale: 40, EdgeFactor: 1<<23 - 1}, ""},
		{"no scale", Params{EdgeFactor: 16}, "choose 1 to 47"},
		{"labels do not fit", Params{Scale: 48, EdgeFactor: 16}, "choose 1 to 47"},
		{"no edges", Params{Scale: 10}, "choose 1 to 9007199254740991"},
		{"negative edges", Params{Scale: 10, EdgeFactor: -1}, "edge factor -1"},
		{"number of edges does not fit", Params{Scale: 40, EdgeFactor: 1 << 23}, "choose 1 to 8388607"},
	} {
		err := c.p.Validate()
		expect.Error(t, err, c.refuse, c.name)
		expect.That(t, err != nil || c.p.Edges()>>c.p.Scale == c.p.EdgeFactor,
			"%s: accepted, but %d edges overflow", c.name, c.p.Edges())
	}
}

func drawN(r *rng, n int) (draws []uint64) {
	for range n {
		draws = append(draws, r.next())
	}
	return draws
}

func TestSeedUsesAll128Bits(t *testing.T) {
	for _, c := range []struct {
		name         string
		seed1, seed2 uint64
		want         rng
	}{
		{"words are not zero for zero seeds", 0, 0, rng{1, 1, 1, 1, 1}},
		{"low 30 bits of seed 1", 1<<30 - 1, 0, rng{1 << 30, 1, 1, 1, 1}},
		{"middle 30 bits of seed 1", 1 << 30, 0, rng{1, 2, 1, 1, 1}},
		{"high 4 bits of seed 1", 1 << 60, 0, rng{1, 1, 1, 1, 2}},
		{"low 30 bits of seed 2", 0, 1<<30 - 1, rng{1, 1, 1 << 30, 1, 1}},
		{"middle 30 bits of seed 2", 0, 1 << 30, rng{1, 1, 1, 2, 1}},
		{"high 4 bits of seed 2", 0, 1 << 60, rng{1, 1, 1, 1, 17}},
		{"all bits", math.MaxUint64, math.MaxUint64, rng{1 << 30, 1 << 30, 1 << 30, 1 << 30, 256}},
	} {
		expect.Equal(t, seeded(c.seed1, c.seed2), c.want, c.name)
	}
}

// fold and canonical agree with the operator % at the ends of their ranges and near carries.
func TestResidues(t *testing.T) {
	for _, s := range []uint64{0, 1, modulus - 1, modulus, modulus + 1, 2*modulus - 1, 2 * modulus, 2*modulus + 1,
		recent*(modulus-1) + old*(modulus-1), 1<<61 - 1} {
		expect.Equal(t, canonical(s), s%modulus, "canonical", s)
		expect.Equal(t, fold(s)%modulus, s%modulus, "fold", s)
	}
	highest := [order]uint64{modulus - 1, modulus - 1, modulus - 1, modulus - 1, modulus - 1}
	expect.Equal(t, dot(&highest, modulus-1, modulus-1, modulus-1, modulus-1, modulus-1), order, "five times (-1)*(-1)")
}

func TestFillParallelReportsProgress(t *testing.T) {
	dst := make([]graph.Edge, 5*chunk+7)
	var reports []int64 // without a lock: the race detector finds concurrent reports
	progress := func(done int64) { reports = append(reports, done) }
	expect.NoError(t, (Params{10, 16, 2, 3}).FillParallel(t.Context(), 0, dst, nil, 3, progress))
	expect.That(t, len(reports) == 6 && slices.IsSorted(reports) && reports[5] == int64(len(dst)),
		"reports %v, want six rising ones up to %d", reports, len(dst))
}

func TestFillParallelStopsWithItsContext(t *testing.T) {
	dst := make([]graph.Edge, 100*chunk)
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("stopped by the test")
	reports := 0
	err := Params{10, 16, 2, 3}.FillParallel(ctx, 0, dst, nil, 2, func(int64) {
		reports++
		cancel(reason)
	})
	expect.That(t, errors.Is(err, reason) && strings.HasPrefix(err.Error(), "kronecker: "),
		"error %v, want one of kronecker that wraps %q", err, reason)
	expect.That(t, reports <= 2, "%d chunks of two workers were finished after the end of the context", reports)
}

func TestPanicOfAWorkerIsTheCallers(t *testing.T) {
	commtest.EndsByPanic(t, "TestPanicOfAWorker", func() {
		_ = Params{10, 16, 2, 3}.FillParallel(t.Context(), 0, make([]graph.Edge, 4*chunk), nil, 2, func(int64) {
			panic(commtest.ErrPlanted)
		})
	})
}

// BenchmarkFill measures the speed of one core.
func BenchmarkFill(b *testing.B) {
	for _, scale := range []int{20, 26, 40} {
		b.Run(fmt.Sprint("scale=", scale), func(b *testing.B) {
			p := Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}
			dst := make([]graph.Edge, 1<<16)
			for i := range b.N {
				p.Fill(int64(i*len(dst)), dst, nil)
			}
			b.ReportMetric(float64(b.N)*float64(len(dst))/b.Elapsed().Seconds(), "edges/s")
		})
	}
}

// checkFill compares Fill with the reference implementation, which draws each edge from the seed, level by level.
func checkFill(t *testing.T, p Params, first int64, n int) {
	t.Helper()
	g, wantEdges, wantWeights := p.generator(), make([]graph.Edge, n), make([]float32, n)
	for k := range n {
		wantEdges[k], wantWeights[k] = g.edge(g.stream(first + int64(k)))
	}
	edges, weights := make([]graph.Edge, n), make([]float32, n)
	p.Fill(first, edges, nil)
	expect.Equal(t, slices.Equal(edges, wantEdges), true, p, "Fill's", n, "edges from", first, "on")
	clear(edges)
	p.Fill(first, edges, weights)
	same := slices.Equal(edges, wantEdges) && slices.Equal(weights, wantWeights)
	expect.Equal(t, same, true, p, "Fill's", n, "edges with weights from", first, "on")
}

func FuzzFill(f *testing.F) {
	for _, scale := range []int{1, 2, 5, 20, 32, 33, graph.MaxScale} {
		edges := Params{scale, 16, 2, 3}.Edges()
		for _, first := range []int64{0, 1, 3, edges / 2, edges - 5, min(1<<32-2, edges)} {
			for _, n := range []uint16{0, 1, 2, 3, 4, 5, 7, 8, 9, 1000} {
				f.Add(scale, uint64(2), uint64(3), first, n)
			}
		}
	}
	f.Add(graph.MaxScale, uint64(1)<<60, uint64(0), int64(1)<<50, uint16(255))
	f.Fuzz(func(t *testing.T, scale int, seed1, seed2 uint64, first int64, n uint16) {
		p := Params{scale, 16, seed1, seed2}
		expect.SkipIf(t, p.Validate() != nil || first < 0, "not an edge of a graph")
		checkFill(t, p, first, int(n))
	})
}

// An edge with a rejected draw is correct in each lane, and so are the three other edges.
func TestRejectedDrawsInEachLane(t *testing.T) {
	p := Params{14, 16, 2, 3}
	g := p.generator()
	found := 0
	for i := range p.Edges() {
		stream := g.stream(i)
		if slices.Min(drawN(&stream, p.Scale)) >= tooLow {
			continue
		}
		found++
		for lane := range min(width, i+1) {
			checkFill(t, p, i-lane, width)
		}
	}
	expect.That(t, found != 0, "no draw of the graph is rejected: the test tests nothing")
}

// Expectations are close to the values of official graphs.
func TestExpectedDegrees(t *testing.T) {
	eachGraph(t, func(t *testing.T, g goldenGraph) {
		if g.Scale < 10 {
			return // random deviations are too large
		}
		p := g.params()
		ends := endsOf(p)
		slices.Sort(ends)
		leaves, highest := 0.0, 0.0
		for i, n := range ends {
			if n < 2 {
				leaves++
			}
			if i >= len(ends)-200 {
				highest += float64(n)
			}
		}
		for of, c := range map[string]struct{ got, want float64 }{
			"non-isolated vertices":    {p.Connected(), float64(g.Vertices - int64(g.Degree.Isolated))},
			"vertices without leaves":  {p.NonLeaves(), float64(g.Vertices) - leaves},
			"the highest degree":       {p.HighestDegree(), float64(g.Degree.Max)},
			"the ends of 200 vertices": {p.ShareOfHighest(200), highest / float64(2*p.Edges())},
		} {
			expect.That(t, math.Abs(c.got/c.want-1) <= 0.03, "%s: %g are expected, the graph has %g", of, c.got, c.want)
		}
	})
}

// endsOf counts the ends of all edges at each vertex, without self-loops.
func endsOf(p Params) []int {
	edges, ends := make([]graph.Edge, p.Edges()), make([]int, p.Vertices())
	p.Fill(0, edges, nil)
	for _, e := range edges {
		if !e.SelfLoop() {
			ends[e.U()]++
			ends[e.V()]++
		}
	}
	return ends
}

// Degrees are below 2^32 up to the largest problem class; the number of non-isolated vertices is up to scale 33.
func TestExpectationsOfLargeGraphs(t *testing.T) {
	for scale := 1; scale <= 42; scale++ {
		p := Params{Scale: scale, EdgeFactor: 16}
		connected := p.Connected()
		expect.That(t, connected > 0 && connected <= float64(p.Vertices()) && (connected < math.MaxUint32) == (scale <= 33),
			"scale %d: %g non-isolated vertices", scale, connected)
		degree := p.HighestDegree()
		expect.That(t, degree < math.MaxUint32, "scale %d: the highest degree is %g", scale, degree)
	}
}
