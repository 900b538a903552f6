package bench

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/record"
	"g500/settings"
	"g500/sssp"
)

func config(scale int) record.Config {
	c := settings.Default()
	c.Graph.Scale = scale
	return c
}

// onRanks runs the benchmark on loopback, with a setup for each rank, and returns the runs by rank.
func onRanks(ctx context.Context, ranks int, setup func(rank int) Setup) ([]*record.Run, error) {
	runs := make([]*record.Run, ranks)
	err := comm.Loopback(ranks, func(t comm.Transport) (err error) {
		s := setup(t.Rank())
		if s.Environment.Engine == "" {
			s.Environment.Engine, s.Environment.Transport, s.Environment.Threads = "cpu", "loopback", 1
		}
		s.Config.Machine.Ranks = t.Size()
		runs[t.Rank()], err = Run(ctx, t, s)
		return err
	})
	return runs, err
}

// run runs the benchmark on loopback with one setup and returns rank 0's run.
func run(ctx context.Context, ranks int, s Setup) (*record.Run, error) {
	runs, err := onRanks(ctx, ranks, func(int) Setup { return s })
	return runs[0], err
}

// mustRun is run in a test that ends if the run has an error.
func mustRun(t *testing.T, ranks int, s Setup) *record.Run {
	t.Helper()
	got, err := run(context.Background(), ranks, s)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// resuming returns the setup that resumes the run in a folder.
func resuming(t *testing.T, dir string) Setup {
	t.Helper()
	earlier, err := record.ReadEarlier(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := hybrid(*earlier.Config)
	s.Earlier = earlier
	return s
}

// onGraph is hybrid with the graph of the configuration's spec.
func onGraph(t *testing.T, c record.Config) (s Setup) {
	t.Helper()
	s = hybrid(c)
	var err error
	if s.Graph, err = NewSpecGraph(c); err != nil {
		t.Fatal(err)
	}
	return s
}

// onCPU has the fast engines with one goroutine per rank.
func onCPU() Backend { return CPU("cpu", bfs.NewHybrid(1), sssp.NewSearch(1), 1) }

func hybrid(c record.Config) Setup { return Setup{Config: c, Backend: onCPU()} }

func TestRunIsValidOnAnyNumberOfRanks(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 4, 7} {
		checkRun(t, ranks, hybrid(config(10)))
	}
}

// checkRun checks a run of scale 10.
func checkRun(t *testing.T, ranks int, s Setup) {
	t.Helper()
	got := mustRun(t, ranks, s)
	if got.Status != record.Valid || got.Done() != 64 || got.Ranks != ranks ||
		len(got.Environment.Nodes) != ranks || got.ResultBits != 64 {
		t.Errorf("%d ranks: status %s (%s), %d searches, nodes %v, %d-bit parents",
			ranks, got.Status, got.Reason, got.Done(), got.Environment.Nodes, got.ResultBits)
	}
	for _, s := range got.Kernels[0].Searches { // the golden file of scale 10: one giant component and a pair
		if s.Edges != 16239 || s.EdgesWithLoops != 16383 || s.Reached != 897 {
			t.Errorf("%d ranks, root %d: %d edges, %d with loops, %d reached; want 16239, 16383, 897",
				ranks, s.Root, s.Edges, s.EdgesWithLoops, s.Reached)
		}
	}
}

// Specification, "Sampling 64 Search Keys": fewer proper keys mean fewer searches. Golden file of scale 3: four.
func TestFewerThan64Keys(t *testing.T) {
	got := mustRun(t, 2, hybrid(config(3)))
	var roots []int64
	for _, s := range got.Kernels[0].Searches {
		roots = append(roots, s.Root)
	}
	want := goldenKeys(t, "s3_ef16_seed2_3.json", 4)
	if got.Status != record.Valid || got.Kernels[0].Keys != 4 || !slices.Equal(roots, want) {
		t.Errorf("status %s, %d keys, roots %v", got.Status, got.Kernels[0].Keys, roots)
	}
}

// faultySetup is a setup whose n-th search passes each rank's tree to wrong.
func faultySetup(c record.Config, n int, wrong func(rank int, tree bfs.HostTree) error) Setup {
	s := hybrid(c)
	s.wrapTrees(func(t comm.Transport, e bfs.Engine) bfs.Engine {
		left := n
		return searching[bfs.Tree]{e, func(root graph.Global) (bfs.Tree, error) {
			tree, err := e.Search(root)
			if left--; err != nil || left > 0 {
				return tree, err
			}
			parents, err := tree.Parents()
			if err != nil {
				return nil, err
			}
			return tree, wrong(t.Rank(), parents)
		}}
	})
	return s
}

func TestInvalidTreeEndsTheRunWithoutTEPS(t *testing.T) {
	c := config(10)
	c.Output.Dir = filepath.Join(t.TempDir(), "out")
	drop := func(rank int, tree bfs.HostTree) error { // loses a vertex that the search reached
		if rank == 1 {
			for l, parent := range tree {
				if parent != graph.NoParent {
					tree[l] = graph.NoParent
					return nil
				}
			}
		}
		return nil
	}
	got, err := run(context.Background(), 2, faultySetup(c, 6, drop)) // after the warm-up, the fifth search
	if err != nil {
		t.Fatal(err)
	}
	if got.Status != record.Invalid || got.Done() != 5 || got.Kernels[0].Searches[4].Fault == "" {
		t.Fatalf("status %s (%s), %d searches", got.Status, got.Reason, got.Done())
	}
	var block bytes.Buffer
	if err := got.WriteOfficial(&block); err == nil || block.Len() > 0 {
		t.Errorf("the output block of an invalid run was written: %v\n%s", err, block.String())
	}
	if _, err := os.Stat(filepath.Join(c.Output.Dir, "official.txt")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of an invalid run has an output block (%v)", err)
	}
}

func TestRunOfAFailedRankHasItsSearches(t *testing.T) {
	c := config(8)
	c.Output.Dir = filepath.Join(t.TempDir(), "out")
	fail := func(rank int, _ bfs.HostTree) error {
		if rank == 2 {
			return errors.New("no answer")
		}
		return nil
	}
	_, err := run(context.Background(), 3, faultySetup(c, 4, fail))
	if err == nil || strings.Count(err.Error(), "no answer") != 1 || !strings.Contains(err.Error(), "rank 2") {
		t.Fatalf("the job ended with %v", err)
	}
	if earlier := resuming(t, c.Output.Dir).Earlier; earlier.Status == record.Valid || earlier.Done() != 2 {
		t.Errorf("the folder has a run with status %s and %d searches, want 2", earlier.Status, earlier.Done())
	}
}

func TestInterruptedRunIsResumed(t *testing.T) {
	c := config(9)
	c.Output.Dir = filepath.Join(t.TempDir(), "out")
	ctx, interrupt := context.WithCancel(context.Background())
	first, err := run(ctx, 2, faultySetup(c, 11, func(int, bfs.HostTree) error { interrupt(); return nil }))
	if err != nil {
		t.Fatal(err)
	}
	if first.Status != record.Incomplete || first.Done() != 10 {
		t.Fatalf("status %s (%s), %d searches", first.Status, first.Reason, first.Done())
	}
	cutLastLine(t, filepath.Join(c.Output.Dir, record.SearchesFile)) // as if killed while writing

	s := resuming(t, c.Output.Dir)
	c.Machine.Ranks = 2
	if err := s.Earlier.CheckSameSettings(c); err != nil {
		t.Error(err)
	}
	second := mustRun(t, 2, s)
	if second.Status != record.Valid || second.Resumed != 9 || second.Done() != 64 {
		t.Fatalf("status %s (%s), %d resumed of %d", second.Status, second.Reason, second.Resumed, second.Done())
	}
	if len(second.Parts) != 1 || second.Parts[0].Searches != 9 ||
		!reflect.DeepEqual(second.Parts[0].Environment, first.Environment) {
		t.Errorf("the earlier part is %+v, want one of 9 searches, made in %+v", second.Parts, first.Environment)
	}
	for i, search := range second.Kernels[0].Searches[:9] {
		if !reflect.DeepEqual(search, first.Kernels[0].Searches[i]) {
			t.Errorf("search %d changed from %+v to %+v", i, first.Kernels[0].Searches[i], search)
		}
	}
	if _, err := record.ReadEarlier(c.Output.Dir); err == nil {
		t.Error("a complete run can be resumed")
	}
}

func cutLastLine(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, text[:len(text)-20], 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestOutputFolderIsNotOverwritten(t *testing.T) {
	c := config(4)
	c.Output.Dir = t.TempDir()
	mustRun(t, 1, hybrid(c))
	if _, err := run(context.Background(), 2, hybrid(c)); err == nil || !strings.Contains(err.Error(), "--resume") {
		t.Errorf("the second run into the folder ended with %v", err)
	}
}

// If one rank fails alone inside kernel 1, the job ends with its error, although the others wait for it there.
func TestKernel1ThatFailsOnOneRank(t *testing.T) {
	s := hybrid(config(8))
	s.Backend.Kernel1 = func(t comm.Transport, _ graph.Tuples) (bfs.Engine, error) {
		if t.Rank() == 1 {
			return nil, errors.New("a row is full")
		}
		_, err := t.AllToAll(make([][]byte, t.Size()))
		return nil, err
	}
	if _, err := run(context.Background(), 3, s); err == nil || err.Error() != "rank 1: a row is full" {
		t.Errorf("the job ended with %v", err)
	}
}

// A run with a final verdict is not resumed.
func TestEndedRunIsNotResumed(t *testing.T) {
	unvalidated := config(6)
	unvalidated.Search.Validate = false
	wrong := func(_ int, tree bfs.HostTree) error { clear(tree); return nil }
	for want, setup := range map[string]Setup{
		"UNVALIDATED": hybrid(unvalidated),
		"INVALID":     faultySetup(config(6), 3, wrong),
		"VALID":       hybrid(config(6)),
	} {
		setup.Config.Output.Dir = t.TempDir()
		mustRun(t, 1, setup)
		if _, err := record.ReadEarlier(setup.Config.Output.Dir); err == nil ||
			!strings.Contains(err.Error(), "has ended "+want+":") {
			t.Errorf("a run that is %s: %v", want, err)
		}
	}
}

// A choice of the backend is a note of the run.
func TestNoteOfTheBackend(t *testing.T) {
	s := Setup{Config: config(6), Backend: CPU("cpu", bfs.NewTopDown, sssp.NewBellmanFord, 1)}
	s.Config.Search.Keys = 1
	s.Backend.Note = "chosen"
	if got := mustRun(t, 2, s); !slices.Contains(got.Notes, s.Backend.Note) {
		t.Errorf("notes %q", got.Notes)
	}
}
