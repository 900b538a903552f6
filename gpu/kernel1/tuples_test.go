// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"g500/cuda"
	"g500/gpu/gputest"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/kronecker"
)

// The device generates exactly the tuples and weights of package kronecker, for any range, in each pass. There are no
// subtests because they would run in goroutines to which the device does not belong.
func TestGenerateIsKronecker(t *testing.T) {
	d := gputest.Open(t)
	rng := rand.New(rand.NewPCG(1, 0))
	counts := []int64{1, 31, 33, 1000, 40_961}
	if testing.Short() {
		counts = []int64{33, 2049} // more than the work of one warp
	}
	for _, scale := range []int{1, 2, 3, 5, 10, 17, 22, 26, 31, 32, 33, 40, 47} {
		for _, seeds := range [][2]uint64{{2, 3}, {0, 0}, {1<<64 - 1, 1 << 63}} {
			p := kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: seeds[0], Seed2: seeds[1]}
			for _, count := range counts {
				count = min(count, p.Edges())
				for _, first := range []int64{0, rng.Int64N(p.Edges() - count + 1), p.Edges() - count} {
					compareTuples(t, d, p, first, count, Storage{Staged: count/2 + 1, Generated: true, Long: scale > 32})
				}
			}
		}
	}
}

// Tuples in device memory, in host memory and generated again are the generator's, and progress ends with their number.
func TestGenerate(t *testing.T) {
	d := gputest.Open(t)
	for _, in := range []Storage{{}, {Staged: 1000}, {Staged: 4096}, {Staged: 1 << 20}, {Staged: 999, Generated: true}} {
		compareTuples(t, d, enginetest.OfficialParams(12), 17, 65519, in)
	}
	if testing.Short() {
		return
	}
	compareTuples(t, d, enginetest.OfficialParams(23), 12345, generatePiece+77, Storage{}) // more than one piece
	const piece = 1 << 26
	for first := int64(0); first < enginetest.OfficialParams(26).Edges(); first += piece { // the whole graph
		compareTuples(t, d, enginetest.OfficialParams(26), first, piece, Storage{})
	}
}

// compareTuples compares count generated tuples, with weights of few, with the generator's.
func compareTuples(t *testing.T, d *cuda.Device, p kronecker.Params, first, count int64, in Storage) {
	defer gputest.Fatal(t)
	weighted, last := count < 1<<20, int64(0)
	made := gputest.Must(Reserve(d, graph.Range{Count: count, Weighted: weighted}, in))
	gputest.Check(made.Generate(t.Context(), p, first, func(done int64) { last = done }))
	want, got := graph.NewHostTuples(graph.Range{Count: count, Weighted: weighted}), gputest.Must(made.Host(true))
	gputest.Check(p.FillParallel(t.Context(), first, want.Edges, want.Weights, runtime.NumCPU(), nil))
	expect.That(t, last == count && slices.Equal(got.Edges, want.Edges),
		"%+v, %+v: progress ends with %d of %d tuples from %d on, or they differ", p, in, last, count, first)
	expect.That(t, slices.Equal(got.Weights, want.Weights),
		"%+v, %+v: weights of %d tuples from %d on differ from the generator's", p, in, count, first)
	gputest.Check(made.Free())
}

func TestGenerateHeedsAnInterruption(t *testing.T) {
	defer gputest.Fatal(t)
	d := gputest.Open(t)
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	for _, in := range []Storage{{}, {Staged: 100}, {Staged: 100, Generated: true}} {
		made := gputest.Must(Reserve(d, graph.Range{Count: 1000}, in))
		err := made.Generate(ctx, enginetest.OfficialParams(10), 0, func(int64) {})
		expect.Equal(t, err != nil, true, in, "generation ends after an interruption")
	}
}

// smallBlocks returns tuples in blocks of host memory that pieces do not fill. The weight of a tuple is its number.
func smallBlocks(d *cuda.Device, edges []graph.Edge, staged int64) *Tuples {
	made := gputest.Must(Reserve(d, graph.Range{Count: int64(len(edges)), Weighted: true}, Storage{Staged: staged}))
	host := made.source.(*hostTuples)
	host.edges.block, host.weights.block = 4096-12, 1024-6 // not multiples of a tuple and of a weight
	from := func(first int64, into []graph.Edge, weights []float32) error {
		copy(into, edges[first:])
		copy(weights, numbers(first, int64(len(weights))))
		return nil
	}
	gputest.Check(made.Read(context.Background(), from, func(int64) {}))
	return made
}

// numbers returns count numbers from first on.
func numbers(first, count int64) []float32 {
	all := make([]float32, count)
	for i := range all {
		all[i] = float32(first + int64(i))
	}
	return all
}

// Host memory returns the tuples that were stored, in pieces of any size and order, for all labels below 2^32.
func TestTuplesFromHostMemory(t *testing.T) {
	defer gputest.Fatal(t)
	d := gputest.Open(t)
	rng := rand.New(rand.NewPCG(3, 0))
	edges := make([]graph.Edge, 10_007)
	for i := range edges {
		edges[i] = graph.NewEdge(graph.Global(rng.Uint32()), graph.Global(rng.Uint32()))
	}
	edges[5] = graph.NewEdge(math.MaxUint32, 0)
	for _, staged := range []int64{1, 100, 512, 4096, 10_007, 1 << 20} {
		n := min(int64(len(edges)), 50*staged)
		made := smallBlocks(d, edges[:n], staged)
		all := gputest.Must(made.Host(true))
		expect.Must(t, slices.Equal(all.Edges, edges[:n]) && slices.Equal(all.Weights, numbers(0, n)),
			"staged %d: tuples or weights differ", staged)
		for range 50 {
			first := rng.Int64N(n)
			count := min(1+rng.Int64N(made.PieceLimit()), n-first)
			for ; count > 0 && first+count <= n; first += count { // consecutive pieces
				for _, weighted := range []bool{false, true} {
					got, weights := make([]graph.Edge, count), make([]float32, count)
					p := gputest.Must(made.piece(run{first, count, Format{Weighted: weighted}}))
					gputest.Check(cuda.Read(got, p.edges, 0))
					if weighted {
						gputest.Check(cuda.Read(weights, p.weights, 0))
					}
					expect.Must(t, slices.Equal(got, edges[first:first+count]) && (!weighted || slices.Equal(weights,
						numbers(first, count))), "staged %d: %d tuples from number %d on differ", staged, count, first)
				}
			}
		}
		gputest.Check(made.Free())
	}
}

// A piece does not change until the device has finished its work, although the next pieces are copied meanwhile.
func TestPiecesStayUntilTheDeviceIsDone(t *testing.T) {
	defer gputest.Fatal(t)
	d := gputest.Open(t)
	edges := make([]graph.Edge, 100_003)
	for i := range edges {
		edges[i] = graph.NewEdge(graph.Global(i), graph.Global(7*i))
	}
	made := smallBlocks(d, edges, 1000)
	into := gputest.Must(d.Alloc("tuples", made.count*int64(graph.EdgeBytes)))
	at := int64(0)
	gputest.Check(made.Each(Format{}, func(piece, _ cuda.Memory) error { // without waiting
		to := into.Part(at, piece.Bytes())
		at += piece.Bytes()
		return d.Copy(to, piece)
	}))
	got := make([]graph.Edge, len(edges))
	gputest.Check(cuda.Read(got, into.Memory, 0))
	expect.That(t, slices.Equal(got, edges), "tuples differ")
}

// Tuples with labels of up to 48 bits come back from host memory in pieces. No kernel runs.
func TestHostTuplesOf48Bits(t *testing.T) {
	defer gputest.Fatal(t)
	d := gputest.Open(t)
	rng := rand.New(rand.NewPCG(5, 0))
	edges := make([]graph.Edge, 5003)
	for i := range edges {
		edges[i] = graph.NewEdge(graph.Global(rng.Uint64()>>16), graph.Global(rng.Uint64()>>16))
	}
	for _, staged := range []int64{100, 4096, 1 << 20} {
		made := gputest.Must(Placed(d, graph.HostTuples{Edges: edges}, Storage{Staged: staged}))
		got := gputest.Must(made.Host(true))
		expect.That(t, slices.Equal(got.Edges, edges), "staged %d: tuples differ", staged)
		gputest.Check(made.Free())
	}
	made := gputest.Must(Reserve(d, graph.Range{Count: 10}, Storage{Staged: 10}))
	expect.Error(t, made.Generate(t.Context(), enginetest.OfficialParams(33), 0, func(int64) {}),
		"use --edge-memory device", "scale 33 with 32-bit labels")
}
