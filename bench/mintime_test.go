package bench

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/internal/expect"
	"g500/record"
	"g500/settings"
	"g500/sssp"
)

// forAWhile runs five keys of scale 10 for 12 ms of simulated time, in which each search takes 1 ms.
func forAWhile(t *testing.T, ctx context.Context, change func(*Setup)) (got *record.Run) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := hybrid(config(10))
		s.Config.Search.Keys, s.Config.Search.MinTime = 5, settings.Duration(12*time.Millisecond)
		s.wrapTrees(func(_ comm.Transport, e bfs.Engine) bfs.Engine { return paced(e, time.Millisecond) })
		change(&s)
		var err error
		if got, err = run(ctx, 2, s); err != nil {
			t.Fatal(err)
		}
	})
	return got
}

// wholeRounds checks that the run has three rounds of five keys.
func wholeRounds(t *testing.T, r *record.Run) {
	t.Helper()
	if r.Status != record.Valid || r.Done() != 15 || r.Kernels[0].Keys != 15 {
		t.Fatalf("status %s (%s), %d searches of %d", r.Status, r.Reason, r.Done(), r.Kernels[0].Keys)
	}
	roots := goldenKeys(t, "s10_ef16_seed2_3.json", 5)
	for i, s := range r.Kernels[0].Searches {
		if s.Key != i || s.Root != roots[i%5] || s.Edges != 16239 {
			t.Errorf("search %d: key %d, root %d, %d edges; want root %d", i, s.Key, s.Root, s.Edges, roots[i%5])
		}
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "no submission") {
		t.Errorf("no note that this is no submission: %s", notes)
	}
}

// All keys are searched again, in complete rounds, until the searches have taken the time.
func TestMinTimeSearchesInWholeRounds(t *testing.T) {
	wholeRounds(t, forAWhile(t, context.Background(), func(*Setup) {}))
}

// A run that was interrupted in a later round continues there, and counts the time of the earlier searches.
func TestResumeInALaterRound(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	ctx, interrupt := context.WithCancel(context.Background())
	first := forAWhile(t, ctx, func(s *Setup) {
		s.Config.Output.Dir = dir
		s.Watch = &signalAfter{interrupt: interrupt, searches: 7}
	})
	if first.Status != record.Incomplete || first.Done() != 7 || first.Kernels[0].Keys != 10 {
		t.Fatalf("status %s, %d searches of %d", first.Status, first.Done(), first.Kernels[0].Keys)
	}
	begun := *first // as it is on disk after a kill, from before the first search
	begun.Kernels, begun.Failure = []record.KernelRun{{Kernel: record.BFS, Keys: 5}}, ""
	expect.NoError(t, (&Store{dir: dir}).replace(record.File, begun.WriteJSON))
	second := forAWhile(t, context.Background(), func(s *Setup) {
		s.Earlier = resuming(t, dir).Earlier
		s.Config = *s.Earlier.Config
		s.Watch = readingBack{Silent{}, t, dir}
	})
	wholeRounds(t, second)
	if second.Resumed != 7 {
		t.Errorf("%d searches come from the earlier run", second.Resumed)
	}
}

// readingBack checks after each search that the run could be resumed.
type readingBack struct {
	Silent
	t   *testing.T
	dir string
}

func (r readingBack) Searched(record.Search, int, int) {
	if _, err := record.ReadEarlier(r.dir); err != nil {
		r.t.Error(err)
	}
}

// pacedBoth has both kernels on scale 10. A search takes 1 ms in one and 3 ms in the other.
func pacedBoth(change func(*Setup)) (got *record.Run, err error) {
	s := hybrid(configOf("both", 10))
	s.wrapTrees(func(_ comm.Transport, e bfs.Engine) bfs.Engine { return paced(e, time.Millisecond) })
	s.wrapPaths(func(e sssp.Engine) sssp.Engine { return paced(e, 3*time.Millisecond) })
	change(&s)
	return run(context.Background(), 2, s)
}

// Each kernel searches in complete rounds until its own searches have taken the time.
func TestMinTimeIsOfEachKernel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, err := pacedBoth(func(s *Setup) {
			s.Config.Search.Keys, s.Config.Search.MinTime = 5, settings.Duration(25*time.Millisecond)
		})
		if err != nil {
			t.Fatal(err)
		}
		bfs, paths := got.Kernels[0], got.Kernels[1]
		if got.Status != record.Valid || len(bfs.Searches) != 25 || len(paths.Searches) != 10 || bfs.Keys != 25 ||
			paths.Keys != 10 {
			t.Errorf("%s; %d of %d and %d of %d searches", got.Verdict(), len(bfs.Searches), bfs.Keys, len(paths.Searches),
				paths.Keys)
		}
	})
}
