package bench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/record"
)

// A rank without the list gets from rank 0 the same share, with the same weights, as from a list in its process.
func TestScatteredSharesAreTheShares(t *testing.T) {
	c := config(16)
	c.Graph.Spec = "uniform:vertices=700,degree=9,weights=uniform"
	for _, ranks := range []int{1, 2, 7} {
		shares, weights := make([][]graph.Edge, ranks), make([][]float32, ranks)
		list, err := onGraph(t, c).Graph.make(t.Context(), 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		err = comm.Loopback(ranks, func(tr comm.Transport) error {
			b := newBenchmark(tr, Setup{Config: c})
			b.made = madeGraph{Vertices: 700, Tuples: list.Tuples()}
			own := list
			if tr.Rank() > 0 {
				own = nil
			}
			read, err := b.scatter(own, true)
			if err != nil {
				return err
			}
			_, count := shareOf(list.Tuples(), tr.Rank(), ranks)
			edges, w := make([]graph.Edge, count), make([]float32, count)
			cut := count / 3
			shares[tr.Rank()], weights[tr.Rank()] = edges, w
			if err := read(0, edges[:cut], w[:cut]); err != nil {
				return err
			}
			return read(cut, edges[cut:], w[cut:])
		})
		if err != nil {
			t.Fatal(err)
		}
		want, wantWeights := make([]graph.Edge, list.Tuples()), make([]float32, list.Tuples())
		list.Read(0, want, wantWeights)
		if !slices.Equal(slices.Concat(shares...), want) || !slices.Equal(slices.Concat(weights...), wantWeights) {
			t.Errorf("%d ranks: the shares are not the list", ranks)
		}
	}
}

// Any number of ranks can read a graph from a pipe. The run records the pipe.
func TestAGraphFromAPipeIsSearched(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "graph", "formats", "testdata", "cases", "snap-ctemporal.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, ranks := range []int{1, 3} {
		path := pipeOf(t, string(text))
		c := config(16)
		c.Graph.Spec, c.Output.Dir = "file:"+path+",format=snap", t.TempDir()
		r, err := run(t.Context(), ranks, onGraph(t, c))
		if err != nil || r.Status != record.Valid || r.Graph.Vertices != 5 || r.Graph.Edges != 3 || r.Pipe() != path {
			t.Errorf("%d ranks: %+v, %v", ranks, r, err)
		}
		if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "column 3 of "+path+" ignored") {
			t.Errorf("%d ranks: notes %q", ranks, notes)
		}
	}
}

// refusal returns the error of a run of shortest paths on a graph. A run with an error must create no folder.
func refusal(t *testing.T, spec string, ranks int) error {
	t.Helper()
	c := config(16)
	c.Search.Kernel, c.Graph.Spec, c.Output.Dir = "sssp", spec, filepath.Join(t.TempDir(), "out")
	r, err := run(t.Context(), ranks, onGraph(t, c))
	if err == nil && r.Status != record.Valid {
		t.Errorf("%s: %s", spec, r.Verdict())
	}
	if _, missing := os.Stat(c.Output.Dir); (missing == nil) != (err == nil) {
		t.Errorf("%s: %v, and the folder: %v", spec, err, missing)
	}
	return err
}

const collections = "../graph/formats/testdata/cases/"

// Shortest paths do not read weights from a column without a name.
func TestAnUnnamedColumnIsNoWeight(t *testing.T) {
	path := "file:" + collections + "ldbc.e"
	err := refusal(t, path, 2)
	want := "ldbc.e without a name: name weights by columns=src,dst,weight, or draw"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
	if err := refusal(t, path+",columns=src,dst,weight", 2); err != nil {
		t.Error(err)
	}
}

// The error for a matrix with negative weights is the same in each storage scheme, on any number of ranks.
func TestNegativeWeightsAreRefusedAlike(t *testing.T) {
	const want = "the edge between vertices 0 and 1 has the weight -1.5: shortest paths need " +
		"weights from 0 to 1e+28: weights=uniform draws others"
	for _, file := range []string{"skew-lower-negative.mtx", "skew-as-general.mtx", "mtx-skew-real.mtx"} {
		for _, ranks := range ranksForInput() {
			if err := refusal(t, "file:"+collections+file, ranks); err == nil ||
				strings.TrimPrefix(err.Error(), "rank 0: ") != want {
				t.Errorf("%s on %d ranks: %v, want %q", file, ranks, err, want)
			}
		}
	}
}
