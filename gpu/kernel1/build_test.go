//go:build cuda && cgo

package kernel1

import (
	"fmt"
	"math"
	"testing"

	"g500/bfs/bfstest"
	"g500/cuda"
	"g500/gpu/device"
	"g500/gpu/gputest"
	"g500/graph"
	"g500/kronecker"
)

func TestBuildEqualsTheReference(t *testing.T) {
	for _, c := range gputest.Graphs() {
		for _, work := range []int64{1 << 30, 1 << 24} { // in one piece, and perhaps in several
			for _, staged := range []int64{0, 1000} { // from device memory, and from host memory
				t.Run(fmt.Sprintf("%s, %d tuples, %d bytes, staged %d", c.Name, len(c.Edges), work, staged), func(t *testing.T) {
					gputest.OnOne(t, func(tr device.Transport) error {
						compareStructure(t, tr, c, limits{work: work}, staged)
						return nil
					})
				})
			}
		}
	}
}

// The number of vertices is the highest label of the tuples plus one, on one rank and on several. Specification,
// "Kernel 1": it is not told. In this graph of scale 8 no tuple has a label above 252.
func TestKernel1FindsTheNumberOfVertices(t *testing.T) {
	p := kronecker.Params{Scale: 8, EdgeFactor: 1, Seed1: 2, Seed2: 3}
	const want = 253
	for _, ranks := range []int{1, 2, 3} {
		err := gputest.OnRanks(ranks, func(s device.Transport) error {
			each := p.Edges() / int64(ranks)
			first := each * int64(s.Host().Rank())
			if s.Host().Rank() == ranks-1 {
				each = p.Edges() - first
			}
			given, err := generated(s.Device(), p, first, each, 0)
			if err != nil {
				return err
			}
			g, err := buildWithin(s, given, limits{round: roundTuples, work: math.MaxInt64})
			if err == nil && g.Vertices() != want {
				t.Errorf("%d ranks: %d vertices, want %d", ranks, g.Vertices(), want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// buildWithin builds a graph without weights within limits.
func buildWithin(t device.Transport, given *Tuples, l limits) (*cuda.Graph, error) {
	return construct(&construction{t: t, given: given, limits: l})
}

func compareStructure(t *testing.T, tr device.Transport, c bfstest.Case, l limits, staged int64) {
	given, err := Placed(tr.Device(), graph.HostTuples(c.Edges), staged)
	if err != nil {
		t.Fatal(err)
	}
	g, err := buildWithin(tr, given, l)
	if err != nil {
		t.Fatal(err)
	}
	want := order(c.Edges, 1)[0]
	if g.Vertices() != int64(len(want.hubsOf)) || g.NonIsolated() != int64(len(want.labels)) ||
		g.Edges() != int64(len(want.cols)) {
		t.Fatalf("%d vertices, %d hubs, %d edges; want %d, %d, %d",
			g.Vertices(), g.NonIsolated(), g.Edges(), len(want.hubsOf), len(want.labels), len(want.cols))
	}
	sameWords(t, "labels", g.Labels(), want.labels)
	sameWords(t, "hub ids", g.LocalIDs(), want.hubsOf)
	sameWords(t, "cols", g.Cols(), want.cols)
	if len(want.labels) > 0 { // a graph without edges needs no offsets
		sameWords(t, "rows", g.Rows(), want.rows)
	}
}

func sameWords[T uint32 | uint64](t *testing.T, what string, from cuda.Memory, want []T) {
	t.Helper()
	got := make([]T, len(want))
	if err := cuda.Read(got, from, 0); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: number %d is %d, want %d", what, i, got[i], want[i])
		}
	}
}
