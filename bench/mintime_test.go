package bench

import (
	"context"
	"fmt"
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

// inSimulatedTime runs scale 10 in simulated time: a search takes 1 ms, one of shortest paths 3 ms, and all other work
// no time. change completes the setup of each rank.
func inSimulatedTime(t *testing.T, ctx context.Context, ranks int, change func(rank int, s *Setup)) (got *record.Run) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		got = expect.Value(onRanks(ctx, ranks, func(rank int) Setup {
			s := hybrid(config(10))
			s.wrapTrees(func(_ comm.Transport, e bfs.Engine) bfs.Engine { return paced(e, time.Millisecond) })
			s.wrapPaths(func(e sssp.Engine) sssp.Engine { return paced(e, 3*time.Millisecond) })
			change(rank, &s)
			return s
		}))(t)[0]
	})
	return got
}

// forAWhile searches from five keys for some milliseconds.
func forAWhile(kernel string, milliseconds int) func(int, *Setup) {
	return func(_ int, s *Setup) {
		s.Config.Search.Kernel, s.Config.Search.Keys = kernel, 5
		s.Config.Search.MinTime = settings.Duration(time.Duration(milliseconds) * time.Millisecond)
	}
}

// inRounds checks that a kernel has searched from five keys in complete rounds.
func inRounds(t *testing.T, r *record.Run, kernel record.Kernel, rounds int) {
	t.Helper()
	k := r.KernelRun(kernel)
	if r.Status != record.Valid || k.Keys != 5*rounds || len(k.Searches) != k.Keys {
		t.Fatalf("%s; %d of %d searches of %s, want %d rounds", r.Verdict(), len(k.Searches), k.Keys, kernel, rounds)
	}
	roots := goldenKeys(t, "s10_ef16_seed2_3.json", 5)
	for i, s := range k.Searches {
		expect.Equal(t, fmt.Sprint(s.Key, s.Root, s.Edges), fmt.Sprint(i, roots[i%5], 16239))
	}
	expect.Contains(t, strings.Join(r.Notes, "\n"), "no submission")
}

// All keys are searched again, in complete rounds, until the searches of each kernel have taken the time.
func TestMinTimeSearchesInWholeRounds(t *testing.T) {
	inRounds(t, inSimulatedTime(t, context.Background(), 2, forAWhile("bfs", 12)), record.BFS, 3)
	both := inSimulatedTime(t, context.Background(), 2, forAWhile("both", 25))
	inRounds(t, both, record.BFS, 5)
	inRounds(t, both, record.SSSP, 2)
}

// A run that was interrupted in a later round continues there, and counts the time of the earlier searches.
func TestResumeInALaterRound(t *testing.T) {
	dir := t.TempDir()
	ctx, interrupt := context.WithCancel(context.Background())
	first := inSimulatedTime(t, ctx, 2, func(rank int, s *Setup) {
		forAWhile("bfs", 12)(rank, s)
		s.Config.Output.Dir = dir
		s.Watch = &signalAfter{interrupt: interrupt, searches: 7}
	})
	if first.Status != record.Incomplete || first.Done() != 7 || first.Kernels[0].Keys != 10 {
		t.Fatalf("status %s, %d searches of %d", first.Status, first.Done(), first.Kernels[0].Keys)
	}
	begun := *first // as it is on disk after a kill, from before the first search
	begun.Kernels, begun.Failure = []record.KernelRun{{Kernel: record.BFS, Keys: 5}}, ""
	expect.NoError(t, (&Store{dir: dir}).replace(record.File, begun.WriteJSON))
	earlier := expect.Value(record.ReadEarlier(dir))(t)
	second := inSimulatedTime(t, context.Background(), 2, func(_ int, s *Setup) {
		s.Earlier, s.Config, s.Watch = earlier, *earlier.Config, readingBack{Silent{}, t, dir}
	})
	inRounds(t, second, record.BFS, 3)
	expect.Equal(t, second.Resumed, 7)
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
