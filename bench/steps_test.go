package bench

import (
	"slices"
	"testing"

	"g500/graph"
	"g500/internal/expect"
	"g500/internal/trace"
	"g500/record"
)

// The frontiers of all steps of BFS have the vertices that the search reached, except leaves. Ranks receive all bytes
// that are sent. The steps of each kernel take no longer than the search, and the summary has a table for each.
func TestStepsOfTheHybridEngine(t *testing.T) {
	leaves := tupleEndsAlone(12)
	for _, ranks := range []int{1, 2, 3, 4} {
		s := hybrid(configOf("both", 12))
		s.Config.Search.Trace, s.Config.Search.Keys = true, 8
		s.Backend = s.Backend.TimingSteps()
		got := mustRun(t, ranks, s)
		if got.Status != record.Valid || len(got.Notes) > 0 {
			t.Errorf("%d ranks: %s, notes %q", ranks, got.Verdict(), got.Notes)
		}
		for i, search := range got.Kernels[0].Searches {
			checkSteps(t, ranks, leaves, search)
			checkStepsOfPaths(t, ranks, got.Kernels[1].Searches[i])
		}
		expect.Contains(t, expect.Written(t, got.WriteSummary), "\nfirst bottom-up", "\n"+trace.PullAgainStep)
	}
}

func checkStepsOfPaths(t *testing.T, ranks int, search record.Search) {
	t.Helper()
	var names []string
	seconds := 0.0
	for _, l := range search.Trace {
		names = append(names, l.Step)
		seconds += l.Seconds
		if l.Step == trace.PushStep && l.Frontier == 0 || (l.Ranks == nil) != (ranks == 1) {
			t.Errorf("%d ranks, root %d: %+v", ranks, search.Root, l)
		}
	}
	expect.Equal(t, names, []string{trace.PushStep, trace.PullStep, trace.PullAgainStep, trace.PushRestStep,
		trace.ResultStep})
	if seconds > search.Seconds {
		t.Errorf("%d ranks, root %d: steps of %g s in a search of %g s", ranks, search.Root, seconds, search.Seconds)
	}
}

// tupleEndsAlone returns the number of leaves of the official graph. Some may be in the non-leaf subgraph of several
// ranks.
func tupleEndsAlone(scale int) (n int64) {
	ends := map[graph.Global]int{}
	for _, e := range officialEdges(config(scale)) {
		if !e.SelfLoop() {
			ends[e.U()]++
			ends[e.V()]++
		}
	}
	for _, count := range ends {
		if count == 1 {
			n++
		}
	}
	return n
}

func checkSteps(t *testing.T, ranks int, leaves int64, s record.Search) {
	t.Helper()
	reached, seconds, names := int64(0), 0.0, map[string]int{}
	for _, l := range s.Trace {
		reached += l.Frontier
		seconds += l.Seconds
		names[l.Step]++
		if (l.Edges > 0) != (l.Step == trace.TopDownStep) {
			t.Errorf("%d ranks, root %d: %d edges leave the frontier of a step %s", ranks, s.Root, l.Edges, l.Step)
		}
		if (l.Ranks == nil) != (ranks == 1) {
			t.Fatalf("%d ranks, root %d: costs of ranks %+v", ranks, s.Root, l.Ranks)
		}
		if l.Ranks != nil {
			checkTraffic(t, ranks, l)
		}
	}
	// The deepest level may be one of leaves only.
	last := len(s.Trace) - 1
	if last != s.Levels && last != s.Levels-1 || s.Trace[last].Step != trace.ResultOrderStep ||
		names[trace.ResultOrderStep] != 1 {
		t.Errorf("%d ranks, root %d: steps %v in a search of %d levels", ranks, s.Root, names, s.Levels)
	}
	if reached >= s.Reached || reached < s.Reached-leaves || s.Trace[0].Frontier != 1 ||
		names[trace.BottomUpStep] == 0 || seconds > s.Seconds {
		t.Errorf("%d ranks, root %d: steps of %d vertices and %g s in a search of %d vertices and %g s",
			ranks, s.Root, reached, seconds, s.Reached, s.Seconds)
	}
}

func checkTraffic(t *testing.T, ranks int, l record.Level) {
	t.Helper()
	if len(l.Ranks.Computing) != ranks || slices.Min(l.Ranks.Computing) < 0 || len(l.Ranks.Traffic) == 0 {
		t.Errorf("%d ranks, step %s: %+v", ranks, l.Step, l.Ranks)
	}
	for _, way := range l.Ranks.Traffic {
		sent, received := int64(0), int64(0)
		for r := range way.Sent {
			sent += way.Sent[r]
			received += way.Received[r]
		}
		if sent != received || way.Payload == trace.BitmapPayload && sent == 0 {
			t.Errorf("%d ranks, step %s: %s sent %d and received %d", ranks, l.Step, way.Payload, sent, received)
		}
	}
}

// advances keeps the progress that each step reports.
type advances struct {
	Silent
	step    string
	reports map[string][]int64
}

func (a *advances) Step(name string, _ int64) { a.step = name }
func (a *advances) Advance(done int64)        { a.reports[a.step] = append(a.reports[a.step], done) }

// Kernel 1 and the preparation of validation take longest. Both report their progress, with a trace or without.
func TestLongStepsTellHowFarTheyAre(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes minutes for it")
	}
	backend := onCPU()
	for name, backend := range map[string]Backend{"without a trace": backend, "with a trace": backend.TimingSteps()} {
		s := Setup{Config: config(16), Backend: backend}
		watch := &advances{reports: map[string][]int64{}}
		s.Config.Search.Keys, s.Watch = 1, watch
		mustRun(t, 1, s)
		expect.Equal(t, watch.reports["kernel 1"], []int64{25, 30, 55, 90, 100}, name)
		expect.Equal(t, watch.reports["preparing validation"], []int64{50}, name)
	}
}
