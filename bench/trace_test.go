// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"slices"
	"strings"
	"testing"
	"time"

	"g500/comm"
	"g500/graph/engine"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/trace"
	"g500/record"
)

// withTrace is an engine with an invented trace.
type withTrace struct {
	engine.Engine
	steps []trace.Step
}

func (e withTrace) Trace() ([]trace.Step, error) { return e.steps, nil }

// tracedRun runs an engine whose trace of each search is steps(rank).
func tracedRun(t *testing.T, ranks int, steps func(rank int) []trace.Step) *record.Run {
	t.Helper()
	s := hybrid(config(6))
	s.Config.Search.Trace, s.Config.Search.Keys = true, 2
	s.wrapTrees(func(t comm.Transport, e engine.Engine) engine.Engine { return withTrace{e, steps(t.Rank())} })
	got := mustRun(t, ranks, s)
	expect.Equal(t, got.Status, record.Valid, got.Reason)
	return got
}

// Rank r computes for r + 1 us, exchanges for 10 us and waits for the rest of 20 us; only odd ranks use mpi.
func unevenSteps(rank int) []trace.Step {
	r := int64(rank)
	sent := []trace.Traffic{{Payload: trace.BinsPayload, Transport: "peer", Sent: 8 * r, Received: 80 * r}}
	if r%2 == 1 {
		sent = append(sent, trace.Traffic{Payload: trace.SumsPayload, Transport: "mpi", Sent: 4, Received: 6})
	}
	return []trace.Step{
		{Name: trace.TopDownStep, Frontier: 1, Edges: 9, Nanoseconds: 20_000 + r, Variant: trace.PushSegmentsVariant,
			Compute: 1000 * (r + 1), Exchange: 10_000, Wait: 20_000 - 1000*(r+1) - 10_000, Traffic: sent},
		{Name: trace.ResultOrderStep, Nanoseconds: 5_000, Compute: 5_000},
	}
}

func TestTraceHasEveryRank(t *testing.T) {
	got := tracedRun(t, 3, unevenSteps)
	want := []record.Level{
		{Step: "top-down", Frontier: 1, Edges: 9, Seconds: 20.002e-6, Variant: "push-segments", Ranks: &record.RankCosts{
			Computing:  []float64{1e-6, 2e-6, 3e-6},
			Exchanging: []float64{10e-6, 10e-6, 10e-6},
			Waiting:    []float64{9e-6, 8e-6, 7e-6},
			Traffic: []record.Traffic{
				{Payload: "bins", Transport: "peer", Sent: []int64{0, 8, 16}, Received: []int64{0, 80, 160}},
				{Payload: "sums", Transport: "mpi", Sent: []int64{0, 4, 0}, Received: []int64{0, 6, 0}},
			},
		}},
		{Step: "result order", Seconds: 5e-6, Ranks: &record.RankCosts{
			Computing: []float64{5e-6, 5e-6, 5e-6}, Exchanging: []float64{0, 0, 0}, Waiting: []float64{0, 0, 0},
		}},
	}
	for _, s := range got.Kernels[0].Searches {
		expect.Equal(t, s.Trace, want, "search", s.Key)
	}
	expect.Equal(t, len(got.Notes), 0)
	want[0].Seconds, want[0].Ranks, want[1].Ranks = 20e-6, nil, nil // of one rank
	expect.Equal(t, tracedRun(t, 1, unevenSteps).Kernels[0].Searches[1].Trace, want)
}

// If ranks report different steps, the trace has the steps before the first difference, and the run one note.
func TestTraceOfRanksThatDiffer(t *testing.T) {
	td, bu := trace.Step{Name: trace.TopDownStep}, trace.Step{Name: trace.BottomUpStep}
	end := trace.Step{Name: trace.ResultOrderStep}
	for _, c := range []struct {
		meaning string
		ranks   [][]trace.Step
		alike   int
		note    string // its end, "" for no note
	}{
		{"alike", [][]trace.Step{{td, bu, end}, {td, bu, end}}, 3, ""},
		{"no steps at all", [][]trace.Step{{}, {}}, 0, ""},
		{"one stops early", [][]trace.Step{{td, bu, end}, {td, bu, end}, {td, bu}}, 2,
			"step 2 of rank 0 is result order, of rank 2 none"},
		{"one goes on", [][]trace.Step{{td}, {td, end}}, 1, "step 1 of rank 0 is none, of rank 1 result order"},
		{"another direction", [][]trace.Step{{td, bu, end}, {td, td, end}}, 1,
			"step 1 of rank 0 is bottom-up, of rank 1 top-down"},
		{"one has no trace", [][]trace.Step{{td, end}, nil}, 0, "step 0 of rank 0 is top-down, of rank 1 none"},
	} {
		got := tracedRun(t, len(c.ranks), func(rank int) []trace.Step { return c.ranks[rank] })
		expect.Equal(t, len(got.Kernels[0].Searches[0].Trace), c.alike, c.meaning, "steps")
		notes := strings.Join(got.Notes, "\n")
		expect.That(t, (notes == "") == (c.note == "") && strings.HasSuffix(notes, c.note) &&
			strings.Count(notes, "different steps") <= 1, "%s: notes %q, want one that ends %q", c.meaning, got.Notes, c.note)
	}
}

// Traffic between four ranks on two nodes counts by payload and transport.
func TestTrafficByPayloadAndTransport(t *testing.T) {
	enginetest.OnRanks(t, 4, func(t testing.TB, host comm.Transport) {
		x := newTimingTransport(comm.EmulateNodes(host, []int{0, 0, 1, 1}), func() time.Duration { return 0 })
		x.timing = true
		send := make([][]byte, 4)
		for r := range send {
			send[r] = make([]byte, 10*x.Rank()+r)
		}
		expect.NoError(t, expect.Err(x.AllToAll(send)))
		x.CountAs(trace.BitmapPayload)
		expect.NoError(t, expect.Err(x.AllToAll([][]byte{{}, {1, 2}, {3}, {}})))
		expect.NoError(t, x.AllGather(make([]uint64, 8)))
		expect.NoError(t, x.AllReduce(make([]int64, 3), comm.Sum))
		want := map[int][]trace.Traffic{
			0: {
				{Payload: "bins", Transport: "node", Sent: 1, Received: 10},
				{Payload: "bins", Transport: "network", Sent: 2 + 3, Received: 20 + 30},
				{Payload: "bitmap", Transport: "node", Sent: 2 + 16, Received: 16},
				{Payload: "bitmap", Transport: "network", Sent: 1 + 32, Received: 32},
				{Payload: "sums", Transport: "node", Sent: 24, Received: 24},
				{Payload: "sums", Transport: "network", Sent: 48, Received: 48},
			},
			3: {
				{Payload: "bins", Transport: "network", Sent: 30 + 31, Received: 3 + 13},
				{Payload: "bins", Transport: "node", Sent: 32, Received: 23},
				{Payload: "bitmap", Transport: "network", Sent: 2 + 32, Received: 32},
				{Payload: "bitmap", Transport: "node", Sent: 1 + 16, Received: 16},
				{Payload: "sums", Transport: "network", Sent: 48, Received: 48},
				{Payload: "sums", Transport: "node", Sent: 24, Received: 24},
			},
		}[x.Rank()]
		if got := x.traffic.Take(); want != nil {
			expect.Equal(t, got, want, "rank", x.Rank())
		}
		expect.NoError(t, expect.Err(comm.NewTwoLevel(x).AllGather([]byte{1})))
		expect.Equal(t, len(x.traffic.Take()) > 0, true, "collectives of two levels are counted")
	})
}

// The frontiers of all steps of BFS have the vertices that the search reached, except leaves. Ranks receive all bytes
// that are sent. The steps of each kernel take no longer than the search, and the summary has a table for each.
func TestStepsOfTheHybridEngine(t *testing.T) {
	leaves := int64(0) // some may be in the non-leaf subgraph of ranks
	for _, count := range enginetest.Ends(enginetest.OfficialEdges(12)) {
		if count == 1 {
			leaves++
		}
	}
	for _, ranks := range []int{1, 2, 3, 4} {
		s := hybrid(configOf("both", 12))
		s.Config.Search.Trace, s.Config.Search.Keys = true, 8
		s.Backend = s.Backend.TimingSteps()
		got := mustRun(t, ranks, s)
		expect.That(t, got.Status == record.Valid && len(got.Notes) == 0,
			"%d ranks: %s, notes %q", ranks, got.Verdict(), got.Notes)
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
		expect.That(t, (l.Step != trace.PushStep || l.Frontier != 0) && (l.Ranks == nil) == (ranks == 1),
			"%d ranks, root %d: %+v", ranks, search.Root, l)
	}
	expect.Equal(t, names, []string{trace.PushStep, trace.PullStep, trace.PullAgainStep, trace.PushRestStep,
		trace.ResultStep})
	expect.That(t, seconds <= search.Seconds,
		"%d ranks, root %d: steps of %g s in a search of %g s", ranks, search.Root, seconds, search.Seconds)
}

func checkSteps(t *testing.T, ranks int, leaves int64, s record.Search) {
	t.Helper()
	reached, seconds, names := int64(0), 0.0, map[string]int{}
	for _, l := range s.Trace {
		reached += l.Frontier
		seconds += l.Seconds
		names[l.Step]++
		expect.Equal(t, l.Edges > 0, l.Step == trace.TopDownStep, ranks, "ranks, root", s.Root, l.Edges,
			"edges leave the frontier of a step", l.Step)
		expect.Must(t, (l.Ranks == nil) == (ranks == 1), "%d ranks, root %d: costs of ranks %+v", ranks, s.Root, l.Ranks)
		if l.Ranks != nil {
			checkTraffic(t, ranks, l)
		}
	}
	// The deepest level may be one of leaves only.
	last := len(s.Trace) - 1
	expect.That(t, (last == s.Levels || last == s.Levels-1) && s.Trace[last].Step == trace.ResultOrderStep &&
		names[trace.ResultOrderStep] == 1,
		"%d ranks, root %d: steps %v in a search of %d levels", ranks, s.Root, names, s.Levels)
	expect.That(t, reached < s.Reached && reached >= s.Reached-leaves && s.Trace[0].Frontier == 1 &&
		names[trace.BottomUpStep] != 0 && seconds <= s.Seconds,
		"%d ranks, root %d: steps of %d vertices and %g s in a search of %d vertices and %g s", ranks, s.Root, reached,
		seconds, s.Reached, s.Seconds)
}

func checkTraffic(t *testing.T, ranks int, l record.Level) {
	t.Helper()
	expect.That(t, len(l.Ranks.Computing) == ranks && slices.Min(l.Ranks.Computing) >= 0 && len(l.Ranks.Traffic) != 0,
		"%d ranks, step %s: %+v", ranks, l.Step, l.Ranks)
	for _, way := range l.Ranks.Traffic {
		sent, received := int64(0), int64(0)
		for r := range way.Sent {
			sent += way.Sent[r]
			received += way.Received[r]
		}
		expect.That(t, sent == received && (way.Payload != trace.BitmapPayload || sent != 0),
			"%d ranks, step %s: %s sent %d and received %d", ranks, l.Step, way.Payload, sent, received)
	}
}

// advances keeps the progress that each step reports.
type advances struct {
	Watchers
	step    string
	reports map[string][]int64
}

func (a *advances) Step(name string, _ int64) { a.step = name }
func (a *advances) Advance(done int64)        { a.reports[a.step] = append(a.reports[a.step], done) }

// Kernel 1 and the preparation of validation take longest. Both report their progress, with a trace or without.
func TestLongStepsTellHowFarTheyAre(t *testing.T) {
	expect.SkipIf(t, testing.Short(), "the race detector takes minutes for it")
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
