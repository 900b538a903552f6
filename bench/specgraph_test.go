package bench

import (
	"context"
	"slices"
	"strings"
	"testing"

	"g500/bfs"
	"g500/graph"
	"g500/graph/formats"
	"g500/record"
)

// searched runs on the graph of a spec.
func searched(t *testing.T, spec string, ranks int) (*record.Run, error) {
	t.Helper()
	c := config(16)
	c.Graph.Spec = spec
	return run(t.Context(), ranks, onGraph(t, c))
}

// ranksForInput returns the numbers of ranks under test. Tests with the race detector are short.
func ranksForInput() []int {
	if testing.Short() {
		return []int{3}
	}
	return []int{1, 2, 3, 5}
}

// Graphs of any number of vertices are searched on any number of ranks. Each search has the vertices and levels of
// formats.Graph.Sweep.
func TestAnyGraphIsSearched(t *testing.T) {
	for i, spec := range []string{
		"grid2d:37x21", "grid3d:1x1x257", "road:30x30", "uniform:vertices=1000,degree=1.2",
		"rmat:scale=9,loops=keep,duplicates=keep",
		"geometric:vertices=777,degree=5,weights=uniform", "kron:scale=7,shuffle=true", "grid2d:2x1",
	} {
		parsed, err := formats.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		g, err := parsed.Make(t.Context(), 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, ranks := range [][]int{{1, 3}, {2, 5}}[i%2] {
			got, err := searched(t, spec, ranks)
			if err != nil {
				t.Fatalf("%s on %d ranks: %v", spec, ranks, err)
			}
			if got.Status != record.Valid || got.Done() == 0 || got.Graph == nil || got.Graph.Spec != spec ||
				got.Graph.Vertices != int64(g.Vertices()) || got.Graph.Edges != g.Edges() {
				t.Errorf("%s on %d ranks: %s (%s), %d searches, %+v", spec, ranks, got.Status, got.Reason,
					got.Done(), got.Graph)
			}
			for _, s := range got.Kernels[0].Searches {
				sweep := g.Sweep(int(s.Root))
				if int64(sweep.Reached) != s.Reached || sweep.Eccentricity+1 != s.Levels {
					t.Errorf("%s on %d ranks, root %d: reached %d in %d levels, want %d in %d", spec, ranks, s.Root,
						s.Reached, s.Levels, sweep.Reached, sweep.Eccentricity+1)
				}
			}
			if !slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, "no Graph500 result") }) {
				t.Errorf("%s: notes %q", spec, got.Notes)
			}
		}
	}
}

// The shares of the ranks are the complete list, on any number of ranks.
func TestRanksShareTheInput(t *testing.T) {
	c := config(16)
	c.Graph.Spec = "road:40x25"
	for _, ranks := range ranksForInput() {
		in := onGraph(t, c).Graph
		list, err := in.make(t.Context(), 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]graph.Edge, list.Tuples())
		list.Read(0, want, nil)
		built, validated := make([][]graph.Edge, ranks), make([][]graph.Edge, ranks)
		_, err = onRanks(t.Context(), ranks, func(rank int) Setup {
			s := listening(c, &built[rank], &validated[rank])
			s.Graph = in
			return s
		})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(slices.Concat(built...), want) || !slices.Equal(slices.Concat(validated...), want) {
			t.Errorf("%d ranks: kernel 1 or the validator did not get the list", ranks)
		}
		if in.list.Load() != nil {
			t.Errorf("%d ranks: the graph is kept after its tuples were taken", ranks)
		}
	}
}

func TestInputsThatAreRefused(t *testing.T) {
	for spec, want := range map[string]string{
		"kron:scale=99": "it must be", "rmat:scale=5,symmetric=maybe": "it must be yes or no",
	} {
		c := config(16)
		c.Graph.Spec = spec
		if _, err := NewSpecGraph(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", spec, err)
		}
	}
	c := config(16)
	c.Graph.Spec, c.Graph.Edges = "kron", "edges"
	if _, err := NewSpecGraph(c); err == nil || !strings.Contains(err.Error(), "exclude each other") {
		t.Error(err)
	}
	if in, err := NewSpecGraph(config(16)); in != nil || err != nil {
		t.Errorf("the official graph: %v, %v", in, err)
	}
	for _, spec := range []string{"file:none.mtx", "kron:scale=31,edgefactor=1024"} {
		if _, err := searched(t, spec, 3); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

// An interrupted run on another graph is resumed with the same settings and keys.
func TestInputsAreResumed(t *testing.T) {
	c := config(16)
	c.Graph.Spec, c.Output.Dir = "road:20x20", t.TempDir()
	c.Search.Keys = 8
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	s := faultySetup(c, 4, func(int, bfs.HostTree) error { interrupt(); return nil })
	s.Graph = onGraph(t, c).Graph
	if r, err := run(ctx, 1, s); err != nil || r.Done() != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	s = resuming(t, c.Output.Dir)
	s.Graph = onGraph(t, s.Config).Graph
	r, err := run(context.Background(), 1, s)
	if err != nil || r.Status != record.Valid || r.Resumed != 3 || r.Done() != 8 {
		t.Errorf("%+v, %v", r, err)
	}
	if now, err := record.Read(c.Output.Dir); err != nil || now.CheckSameSettings(s.Config) != nil {
		t.Errorf("%+v, %v", now, err)
	}
}
