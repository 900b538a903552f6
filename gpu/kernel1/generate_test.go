//go:build cuda && cgo

package kernel1

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"g500/cuda"
	"g500/gpu/gputest"
	"g500/graph"
	"g500/kronecker"
)

// The device makes the very edges of package kronecker, and their weights to the bit, wherever a run of them begins and
// however long it is. There are no subtests: they would run on goroutines that the device is not tied to.
// generated are official tuples; staged is that of reserve.
func generated(d *cuda.Device, p kronecker.Params, first, count, staged int64) (*Tuples, error) {
	t, err := Reserve(d, count, staged, false)
	if err == nil {
		err = t.Generate(context.Background(), p, first, func(int64) {})
	}
	return t, err
}

func TestGenerateIsKronecker(t *testing.T) {
	d := gputest.Open(t)
	rng := rand.New(rand.NewPCG(1, 0))
	counts := []int64{1, 31, 33, 1000, 40_961}
	if testing.Short() {
		counts = []int64{33, 2049} // part of a warp's share of the work, and part of the next one's
	}
	for _, scale := range []int{1, 2, 3, 5, 10, 17, 22, 26, 31, 32, 33, 40, 47} {
		for _, seeds := range [][2]uint64{{2, 3}, {0, 0}, {1<<64 - 1, 1 << 63}} {
			p := kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: seeds[0], Seed2: seeds[1]}
			for _, count := range counts {
				count = min(count, p.Edges())
				for _, first := range []int64{0, rng.Int64N(p.Edges() - count + 1), p.Edges() - count} {
					compareEdges(t, d, p, first, count)
				}
			}
		}
	}
}

func compareEdges(t *testing.T, d *cuda.Device, p kronecker.Params, first, count int64) {
	edges, err := d.Alloc("edge tuples", count*int64(graph.EdgeBytes))
	if err != nil {
		t.Fatal(err)
	}
	defer edges.Free()
	weights, err := d.Alloc("weights", count*cuda.WeightBytes)
	if err != nil {
		t.Fatal(err)
	}
	defer weights.Free()
	want, wantWeights := make([]graph.Edge, count), make([]float32, count)
	p.FillWeighted(first, want, wantWeights)
	g := cuda.Kronecker{Scale: p.Scale, Seed1: p.Seed1, Seed2: p.Seed2}
	for _, generate := range []func() error{
		func() error { return d.Generate(g, first, edges.Memory, cuda.Memory{}) },
		func() error { return d.Generate(g, first, edges.Memory, weights.Memory) },
	} {
		got := make([]graph.Edge, count)
		if err := errors.Join(d.Clear(edges.Memory), generate(), cuda.Read(got, edges.Memory, 0)); err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%+v: edge %d is <%d, %d>, want <%d, %d>",
					p, first+int64(i), got[i].U(), got[i].V(), want[i].U(), want[i].V())
			}
		}
	}
	gotWeights := make([]float32, count)
	if err := cuda.Read(gotWeights, weights.Memory, 0); err != nil {
		t.Fatal(err)
	}
	for i, w := range wantWeights {
		if math.Float32bits(gotWeights[i]) != math.Float32bits(w) {
			t.Fatalf("%+v: edge %d has the weight %v, want %v", p, first+int64(i), gotWeights[i], w)
		}
	}
}

// A share of the edge list that takes more than one piece is whole, and progress ends with its length.
func TestGenerateInPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("67 million tuples")
	}
	d := gputest.Open(t)
	p := gputest.Official(23)
	const first = 12345
	count := int64(generatePiece + 77)
	last := int64(0)
	made, err := Reserve(d, count, 0, false)
	if err == nil {
		err = made.Generate(context.Background(), p, first, func(done int64) { last = done })
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := made.Host()
	if err != nil {
		t.Fatal(err)
	}
	want := make([]graph.Edge, count)
	if err := p.FillParallel(context.Background(), first, want, nil, 8, func(int64) {}); err != nil {
		t.Fatal(err)
	}
	if last != count || !slices.Equal(got, want) {
		t.Errorf("%d of %d tuples reported, or they differ from the generator's", last, count)
	}
}

// The whole official graph of scale 26, edge by edge: 1.07 billion of them, a piece at a time.
func TestGenerateScale26(t *testing.T) {
	if testing.Short() {
		t.Skip("1.07 billion tuples, made on the host too")
	}
	d := gputest.Open(t)
	p := gputest.Official(26)
	const piece = 1 << 26
	want := make([]graph.Edge, piece)
	for first := int64(0); first < p.Edges(); first += piece {
		made, err := generated(d, p, first, piece, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := made.Host()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.FillParallel(context.Background(), first, want, nil, runtime.NumCPU(), nil); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("tuples %d to %d differ from the generator's", first, first+piece-1)
		}
		made.Free()
	}
}

func TestGenerateHeedsAnInterruption(t *testing.T) {
	d := gputest.Open(t)
	ctx, interrupt := context.WithCancel(context.Background())
	interrupt()
	for _, staged := range []int64{0, 100} {
		made, err := Reserve(d, 1000, staged, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := made.Generate(ctx, gputest.Official(10), 0, func(int64) {}); err == nil {
			t.Errorf("staged %d: an interrupted generation went on", staged)
		}
	}
}
