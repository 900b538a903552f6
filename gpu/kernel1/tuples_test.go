//go:build cuda && cgo

package kernel1

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"g500/cuda"
	"g500/gpu/gputest"
	"g500/graph"
)

// tinyBlocks makes host memory for tuples come in blocks that pieces do not fill. Each has its number as its weight.
func tinyBlocks(t *testing.T, d *cuda.Device, edges []graph.Edge, staged int64) *Tuples {
	t.Helper()
	made, err := Reserve(d, int64(len(edges)), staged, true)
	if err != nil {
		t.Fatal(err)
	}
	made.host.narrow.block = 4096 - 12 // no multiple of a tuple
	made.host.weights.block = 1024 - 6 // nor of a weight
	from := func(first int64, into []graph.Edge, weights []float32) error {
		copy(into, edges[first:])
		copy(weights, numbers(first, int64(len(weights))))
		return nil
	}
	if err := made.Read(context.Background(), from, func(int64) {}); err != nil {
		t.Fatal(err)
	}
	return made
}

// numbers are so many from first on.
func numbers(first, count int64) []float32 {
	all := make([]float32, count)
	for i := range all {
		all[i] = float32(first + int64(i))
	}
	return all
}

// Tuples are what they were after they have lain in host memory, in pieces of any size, read in any order, whatever
// their labels below 2^32.
func TestTuplesFromHostMemory(t *testing.T) {
	d := gputest.Open(t)
	rng := rand.New(rand.NewPCG(3, 0))
	edges := make([]graph.Edge, 10_007)
	for i := range edges {
		edges[i] = graph.NewEdge(graph.Global(rng.Uint32()), graph.Global(rng.Uint32()))
	}
	edges[5] = graph.NewEdge(math.MaxUint32, 0)
	for _, staged := range []int64{1, 100, 512, 4096, 10_007, 1 << 20} {
		n := len(edges)
		if staged == 1 {
			n = 50
		}
		made := tinyBlocks(t, d, edges[:n], staged)
		got, err := made.Host()
		if err != nil || !slices.Equal(got, edges[:n]) {
			t.Fatalf("staged %d: other tuples, or %v", staged, err)
		}
		weights, err := made.HostWeights()
		if err != nil || !slices.Equal(weights, numbers(0, int64(n))) {
			t.Fatalf("staged %d: other weights, or %v", staged, err)
		}
		for range 50 {
			first := rng.Int64N(int64(n))
			count := min(1+rng.Int64N(made.pieceLimit()), int64(n)-first)
			for ; count > 0 && first+count <= int64(n); first += count { // some that follow each other
				comparePiece(t, made, first, edges[first:first+count])
			}
		}
		if err := made.Free(); err != nil {
			t.Error(err)
		}
	}
}

// A piece stays as it is until the device has done what it was given, whatever comes from host memory meanwhile.
func TestPiecesStayUntilTheDeviceIsDone(t *testing.T) {
	d := gputest.Open(t)
	edges := make([]graph.Edge, 100_003)
	for i := range edges {
		edges[i] = graph.NewEdge(graph.Global(i), graph.Global(7*i))
	}
	made := tinyBlocks(t, d, edges, 1000)
	into, err := d.Alloc("tuples", made.count*int64(graph.EdgeBytes))
	if err != nil {
		t.Fatal(err)
	}
	at := int64(0)
	err = made.Each(false, func(piece, _ cuda.Memory) error { // it does not wait
		to := into.Part(at, piece.Bytes())
		at += piece.Bytes()
		return d.Copy(to, piece)
	})
	got := make([]graph.Edge, len(edges))
	if err == nil {
		err = cuda.Read(got, into.Memory, 0)
	}
	if err != nil || !slices.Equal(got, edges) {
		t.Errorf("other tuples, or %v", err)
	}
}

func comparePiece(t *testing.T, from *Tuples, first int64, want []graph.Edge) {
	t.Helper()
	count := int64(len(want))
	alone, err := from.run(run{first, count, false})
	if err != nil {
		t.Fatal(err)
	}
	compareTuples(t, alone.edges, first, want)
	both, err := from.run(run{first, count, true})
	if err != nil {
		t.Fatal(err)
	}
	compareTuples(t, both.edges, first, want)
	weights := make([]float32, count)
	if err := cuda.Read(weights, both.weights, 0); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(weights, numbers(first, count)) {
		t.Fatalf("%d tuples from %d on have other weights", count, first)
	}
}

func compareTuples(t *testing.T, at cuda.Memory, first int64, want []graph.Edge) {
	t.Helper()
	got := make([]graph.Edge, len(want))
	if err := cuda.Read(got, at, 0); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%d tuples from %d on are others", len(want), first)
	}
}

// What is generated is the generator's list, with its weights, in host memory and in device memory.
func TestGenerateWeighted(t *testing.T) {
	d := gputest.Open(t)
	p := gputest.Official(12)
	want, wantWeights := make([]graph.Edge, p.Edges()), make([]float32, p.Edges())
	p.FillWeighted(0, want, wantWeights)
	for _, staged := range []int64{0, 1000, 4096, 1 << 20} {
		made, err := Reserve(d, p.Edges()-17, staged, true)
		if err != nil {
			t.Fatal(err)
		}
		last := int64(0)
		if err := made.Generate(context.Background(), p, 17, func(done int64) { last = done }); err != nil {
			t.Fatal(err)
		}
		got, err := made.Host()
		if err != nil || last != p.Edges()-17 || !slices.Equal(got, want[17:]) {
			t.Errorf("staged %d: %d tuples told, others than the generator's, or %v", staged, last, err)
		}
		weights, err := made.HostWeights()
		if err != nil || !slices.Equal(weights, wantWeights[17:]) {
			t.Errorf("staged %d: other weights than the generator's, or %v", staged, err)
		}
		if err := made.Free(); err != nil {
			t.Error(err)
		}
	}
}

// Tuples without weights say so to whom asks for them.
func TestTuplesWithoutWeights(t *testing.T) {
	d := gputest.Open(t)
	for _, staged := range []int64{0, 10} {
		made, err := Placed(d, graph.HostTuples(gputest.Pairs(0, 1, 1, 2)), staged)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := made.HostWeights(); err == nil || !strings.Contains(err.Error(), "the edge tuples have no weights") {
			t.Errorf("staged %d: %v", staged, err)
		}
	}
}

func TestLabelsThatAreTooWideForHostMemory(t *testing.T) {
	d := gputest.Open(t)
	_, err := Placed(d, graph.HostTuples(gputest.Pairs(0, 1, 1<<32, 2)), 10)
	if err == nil || !strings.Contains(err.Error(), "label 4294967296 is too high for edge tuples in host memory") {
		t.Errorf("a label of 33 bits: %v", err)
	}
	made, err := Reserve(d, 10, 10, false)
	if err == nil {
		err = made.Generate(context.Background(), gputest.Official(33), 0, func(int64) {})
	}
	if err == nil || !strings.Contains(err.Error(), "use --edge-memory device") {
		t.Errorf("scale 33: %v", err)
	}
}
