package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/record"
)

// rootsFile writes a file of roots and returns the configuration that reads it.
func fileOfRoots(t *testing.T, text string) record.Config {
	t.Helper()
	c := config(10)
	c.Search.Roots = filepath.Join(t.TempDir(), "roots.txt")
	if err := os.WriteFile(c.Search.Roots, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return c
}

// isolated is a vertex of scale 10 without an edge to another vertex.
func isolated(t *testing.T) int {
	t.Helper()
	p := config(10).Params()
	edges := make([]graph.Edge, p.Edges())
	p.Fill(0, edges)
	joined := map[graph.Global]bool{}
	for _, e := range edges {
		if !e.SelfLoop() {
			joined[e.U()], joined[e.V()] = true, true
		}
	}
	for v := range 1024 {
		if !joined[graph.Global(v)] {
			return v
		}
	}
	t.Fatal("every vertex has an edge")
	return 0
}

// The roots of a file are searched in its order, each once, and the run notes that it is no submission.
func TestRootsFromAFile(t *testing.T) {
	for text, ranks := range map[string]int{
		"220\n458\r\n 214 \n":                                                          1,
		"\ufeff# roots\r\n220\r\n\r\n# more\r\n458\r\n214":                             3,
		"%%MatrixMarket matrix array integer general\r\n% c\r\n3 1\r\n221\n459\n215\n": 2,
		"%%MatrixMarket matrix array real general\n1 3\n2.21e2\n459.0\n215\n":          1,
	} {
		got := mustRun(t, ranks, hybrid(fileOfRoots(t, text)))
		var roots []int64
		for _, s := range got.Kernels[0].Searches {
			roots = append(roots, s.Root)
		}
		if got.Status != record.Valid || got.Kernels[0].Keys != 3 || !slices.Equal(roots, []int64{220, 458, 214}) {
			t.Errorf("%d ranks: status %s (%s), %d keys, roots %v", ranks, got.Status, got.Reason, got.Kernels[0].Keys, roots)
		}
		if notes := strings.Join(got.Notes, "\n"); !strings.Contains(notes, "no submission") {
			t.Errorf("no note that this is no submission: %s", notes)
		}
	}
}

func TestBadRootsAreRefusedWithTheirLine(t *testing.T) {
	lonely := isolated(t)
	for text, want := range map[string]string{
		"":                "has no roots",
		"458\nfour\n":     `:2: "four" is no label`,
		"# none\n\n":      "has no roots",
		"458\n# c\n\nx\n": `:4: "x" is no label`,
		"458\x00":         "is binary",
		"%%MatrixMarket matrix coordinate integer general\n2 1 2\n":      ":1: a Matrix Market file of roots is an array",
		"%%MatrixMarket matrix array integer general\n2 2\n1\n1\n1\n1\n": `:2: "2 2" is no size of an array`,
		"%%MatrixMarket matrix array integer general\n3 1\n459\n215\n":   "announces 3 roots, but has 2",
		"%%MatrixMarket matrix array integer general\n1 1\n0\n":          ":3: 0 is no vertex: labels of scale 10 go from 1",
		"%%MatrixMarket matrix array real general\n% c\n1 1\n1.5\n":      `:4: "1.5" is no label`,
		"458 214\n":                         `:1: "458 214" is no label`,
		"458\n214\n1024\n":                  ":3: 1024 is no vertex: labels of scale 10 go from 0 to 1023",
		"-1\n":                              ":1: -1 is no vertex",
		"99999999999999999999\n":            ":1: 99999999999999999999 is no vertex",
		"458\n214\n458\n":                   ":3: root 458 is in line 1 already",
		fmt.Sprintf("458\n%d\n214", lonely): fmt.Sprintf(":2: vertex %d has no edge to another vertex", lonely),
	} {
		got, err := run(context.Background(), 2, hybrid(fileOfRoots(t, text)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
		if got != nil && got.Done() > 0 {
			t.Errorf("%q: %d searches were made all the same", text, got.Done())
		}
	}
}

// A run with a file of roots is resumed with the same file, and not with a changed one.
func TestResumeWithAFileOfRoots(t *testing.T) {
	const roots = "220\n458\n214\n"
	c := fileOfRoots(t, roots)
	c.Output.Dir = filepath.Join(t.TempDir(), "out")
	ctx, interrupt := context.WithCancel(context.Background())
	s := hybrid(c)
	s.Watch = signalAfter{silent{}, interrupt, 2}
	if first, err := run(ctx, 1, s); err != nil || first.Status != record.Incomplete {
		t.Fatalf("%v, %+v", err, first)
	}
	resume := func(roots string) (*record.Run, error) {
		t.Helper()
		if err := os.WriteFile(c.Search.Roots, []byte(roots), 0o644); err != nil {
			t.Fatal(err)
		}
		return run(context.Background(), 1, resuming(t, c.Output.Dir))
	}
	want := "(roots) has changed since the run to resume read it"
	if _, err := resume("220\n214\n458\n"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("other roots: error %v, want %q", err, want)
	}
	if got, err := resume(roots); err != nil || got.Status != record.Valid || got.Done() != 3 {
		t.Errorf("the same roots: %v, %+v", err, got)
	}
}

// All ranks return the same error for such a root, so that the launcher prints it once.
func TestRootWithoutAnEdgeIsOneError(t *testing.T) {
	c := fileOfRoots(t, fmt.Sprintln(isolated(t)))
	var agreed atomic.Int32
	err := comm.Loopback(3, func(tr comm.Transport) error {
		_, err := Run(t.Context(), tr, hybrid(c))
		var one *comm.RankError
		if errors.As(err, &one) && one.Rank == 0 {
			agreed.Add(1)
		}
		return err
	})
	if err == nil || agreed.Load() != 3 {
		t.Errorf("%d of 3 ranks return the error of rank 0: %v", agreed.Load(), err)
	}
}
