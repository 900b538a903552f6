package record

import (
	"testing"

	"g500/internal/expect"
	"g500/settings"
)

func TestResumeWithOtherSettingsIsRefused(t *testing.T) {
	a, b := settings.Default(), settings.Default()
	b.Output.Dir = "elsewhere"
	run := Run{Config: &a}
	expect.NoError(t, run.CheckSameSettings(b))
	b.Graph.Seeds = [2]uint64{2, 4}
	b.Policy.Alpha = 30
	b.Machine.Threads = 5
	want := "other settings: graph.seeds was 2,3 and is 2,4, policy was default and is alpha=30, " +
		"machine.threads was 0 and is 5; "
	expect.Error(t, run.CheckSameSettings(b), want)
}

// A run may be killed before its verdict is on disk: after its last search, or after a wrong tree.
func TestKilledBeforeTheVerdict(t *testing.T) {
	run := killed()
	expect.Equal(t, resumable("out", run), nil)
	run.Kernels[0].Searches[0].Fault = "a vertex is its own grandparent"
	expect.Error(t, resumable("out", run), "has ended INVALID:")
}

// With search.min_time only complete rounds of all keys that have taken the time are enough.
func TestRoundsOfAnInterruptedRun(t *testing.T) {
	for _, c := range []struct {
		roots  []int64
		enough float64
		want   bool
	}{
		{nil, 0, false}, {[]int64{1, 2}, 2, true}, {[]int64{1, 2}, 3, false}, {[]int64{1, 2, 1}, 2, false},
		{[]int64{1, 2, 1, 2}, 3, true},
	} {
		var k KernelRun
		for _, root := range c.roots {
			k.Searches = append(k.Searches, Search{Root: root, Seconds: 1})
		}
		if got := k.inWholeRounds(settings.Duration(c.enough * 1e9)); got != c.want {
			t.Errorf("searches of 1 s from %v are complete for %g s: %v, want %v", c.roots, c.enough, got, c.want)
		}
	}
}

// Searches of two machines or programs have no common mean.
func TestResumeElsewhereIsRefused(t *testing.T) {
	begun := func(searches int, engine string, threads int) *Run {
		return &Run{Kernels: []KernelRun{{Searches: make([]Search, searches)}},
			Environment: Environment{Engine: engine, Threads: threads}}
	}
	now := Environment{Engine: "cpu", Threads: 2}
	for want, earlier := range map[string]*Run{
		"the engine was gpu and is cpu":                 begun(1, "gpu", 2),
		"the number of threads per rank was 4 and is 2": begun(1, "cpu", 4),
	} {
		expect.Error(t, earlier.CheckSameMachine(now), want)
	}
	for _, earlier := range []*Run{begun(1, "cpu", 2), begun(0, "gpu", 4)} {
		expect.NoError(t, earlier.CheckSameMachine(now))
	}
}

// killed is a run of one key that was killed before its verdict.
func killed() *Run {
	return &Run{Status: Incomplete, Config: &Config{}, Kernels: []KernelRun{
		{Kernel: BFS, Keys: 1, Searches: []Search{{Seconds: 1, Edges: 1, Reached: 2}}},
	}}
}

// Power is measured after the searches: a run that lacks it has work to do.
func TestRunThatLacksPowerIsNotComplete(t *testing.T) {
	r := killed()
	if !r.AllSearched() {
		t.Error("a run with all searches lacks more than files")
	}
	if r.Config.Search.Power = true; r.AllSearched() {
		t.Error("a run that lacks its power lacks only files")
	}
}
