package bench

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/kronecker"
	"g500/partition"
	"g500/record"
)

// Kernel 1 and validation get the complete list of the generator, or of the file, in order, with self-loops and
// duplicates.
func TestKernel1AndValidationGetEveryTuple(t *testing.T) {
	c := config(8)
	p := c.Params()
	want := make([]graph.Edge, p.Edges())
	p.Fill(0, want)
	loops := 0
	for _, e := range want {
		if e.SelfLoop() {
			loops++
		}
	}
	if loops == 0 {
		t.Fatal("the graph has no self-loop")
	}
	for _, ranks := range []int{1, 3} {
		for _, file := range []string{"", edgeListFile(t, want)} {
			c.Graph.Edges = file
			built, validated := make([][]graph.Edge, ranks), make([][]graph.Edge, ranks)
			_, err := onRanks(context.Background(), ranks, func(rank int) Setup {
				return listening(c, &built[rank], &validated[rank])
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Concat(built...); !slices.Equal(got, want) {
				t.Errorf("%d ranks, file %q: kernel 1 got other tuples, %d of %d", ranks, file, len(got), len(want))
			}
			if got := slices.Concat(validated...); !slices.Equal(got, want) {
				t.Errorf("%d ranks, file %q: validation got other tuples, %d of %d", ranks, file, len(got), len(want))
			}
		}
	}
}

// A run ends with an error if a rank generates or reads too few tuples.
func TestTuplesOfAllRanksAreCounted(t *testing.T) {
	road := config(8)
	road.Graph.Spec = "road:20x20"
	for _, c := range []record.Config{config(8), road} {
		for _, ranks := range []int{1, 3} {
			all := onGraph(t, c)
			_, err := onRanks(context.Background(), ranks, func(rank int) Setup {
				s, backend := all, all.Backend
				short := int64(min(1, ranks-rank-1)) // on all ranks except the last
				s.Backend.Generate = func(ctx context.Context, p kronecker.Params, s graph.Range,
					advance func(int64)) (graph.Tuples, error) {
					s.Count -= short
					return backend.Generate(ctx, p, s, advance)
				}
				s.Backend.Read = func(ctx context.Context, s graph.Range, read graph.TupleReader,
					advance func(int64)) (graph.Tuples, error) {
					s.Count -= short
					return backend.Read(ctx, s, read, advance)
				}
				return s
			})
			if failed := err != nil && strings.Contains(err.Error(), "edge tuples, and the graph has"); failed != (ranks > 1) {
				t.Errorf("%q on %d ranks: %v", c.Graph.Spec, ranks, err)
			}
		}
	}
}

// listening is a setup that copies the tuples of kernel 1 and of validation.
func listening(c record.Config, built, validated *[]graph.Edge) Setup {
	s := hybrid(c)
	backend := s.Backend
	keep := func(into *[]graph.Edge, tuples graph.Tuples) {
		edges, _ := tuples.Host()
		*into = slices.Clone(edges)
	}
	s.Backend.Kernel1 = func(t comm.Transport, tuples graph.Tuples) (bfs.Engine, error) {
		keep(built, tuples)
		return backend.Kernel1(t, tuples)
	}
	s.Backend.NewValidator = func(t comm.Transport, layout partition.Layout, tuples graph.Tuples) (Validator, error) {
		keep(validated, tuples)
		return backend.NewValidator(t, layout, tuples)
	}
	return s
}

func edgeListFile(t *testing.T, edges []graph.Edge) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "edges")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := graph.WriteEdges(file, graph.Packed, edges); err != nil {
		t.Fatal(err)
	}
	return path
}
