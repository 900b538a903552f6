// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"

	"g500/internal/expect"
	"g500/internal/output"
	"g500/settings"
)

// edited is the small run after one change.
func edited(change func(*Run)) *Run {
	r := small()
	change(r)
	return r
}

// searched is the small run after a change of its kernel.
func searched(change func(k *KernelRun)) *Run {
	return edited(func(r *Run) { change(&r.Kernels[0]) })
}

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		meaning string
		run     *Run
		status  Status
		verdict string
	}{
		{"a valid run", small(), Valid, "VALID"},
		{"one tree breaks a rule", broken(), Invalid, "INVALID: search key 2 (root 30): the tree has a cycle"},
		{"interrupted", cutOff(), Incomplete, "INVALID: incomplete, 3 of 5 searches done: interrupted"},
		{"searches missing without a reason", searched(func(k *KernelRun) { k.Searches = k.Searches[:4] }), Incomplete,
			"INVALID: incomplete, 4 of 5 searches done: the run did not reach its end"},
		{"a rank was lost after the last search", rankLost(), Invalid, "INVALID: rank 2 was killed"},
		{"no tree validated", unvalidated(), Unvalidated, "INVALID: the trees were not validated (5 of 5)"},
		{"one tree not validated", searched(func(k *KernelRun) { k.Searches[1].ValidateSeconds = NotValidated }), Unvalidated,
			"INVALID: the trees were not validated (1 of 5)"},
		{"a graph of self-loops", searched(func(k *KernelRun) { k.Keys, k.Searches = 0, nil }), Invalid,
			"INVALID: there is no search key, because no vertex has an edge to another vertex: choose another graph"},
		{"failed before the search keys were drawn",
			edited(func(r *Run) { r.Kernels[0].Keys, r.Kernels[0].Searches, r.Failure = 0, nil, "out of memory" }),
			Invalid, "INVALID: out of memory"},
		{"a broken rule outweighs missing searches", edited(func(r *Run) {
			r.Kernels[0].Searches, r.Failure = r.Kernels[0].Searches[:2], "interrupted"
			r.Kernels[0].Searches[0].Fault = "the root is not its own parent"
		}), Invalid, "INVALID: search key 0 (root 17): the root is not its own parent"},
		{"one key twice, another never", searched(func(k *KernelRun) { k.Searches[4] = k.Searches[0] }), Invalid,
			"INVALID: search key 0 (root 17): it was searched twice"},
		{"a key that is not on the list", searched(func(k *KernelRun) { k.Searches[4].Key = 5 }), Invalid,
			"INVALID: search key 5 (root 0): the run has only 5 search keys"},
		{"a stopped clock", searched(func(k *KernelRun) { k.Searches[3].Seconds = 0 }), Invalid,
			"INVALID: search key 3 (root 8): its time of 0 s is not a time"},
		{"a time that is no number", searched(func(k *KernelRun) { k.Searches[3].Seconds = math.NaN() }), Invalid,
			"INVALID: search key 3 (root 8): its time of NaN s is not a time"},
		{"a validated tree without edges", searched(func(k *KernelRun) { k.Searches[3].Edges = 0 }), Invalid,
			"INVALID: search key 3 (root 8): no edge was counted in its component"},
		{"a reason of several lines", edited(func(r *Run) { r.Failure = "rank 1:\n\tpanic\n" }), Invalid,
			"INVALID: rank 1: panic"},
	} {
		expect.Equal(t, c.run.Verdict(), c.verdict, c.meaning)
		c.run.Status, c.run.Reason = Incomplete, "an earlier reason"
		c.run.Settle()
		if c.run.Status != c.status || (c.run.Reason == "") != (c.status == Valid) {
			t.Errorf("%s: got status %s (%q), want %s", c.meaning, c.run.Status, c.run.Reason, c.status)
		}
	}
}

// No output of a run that is not valid has one of its rates; if it is invalid or incomplete, whatever its field Status
// says, it has no result block, but the reason. The same scan finds rates in each output of a valid run.
func TestNoRates(t *testing.T) {
	for form, write := range writers {
		if findRate(metered(), written(t, write, metered())) == "" {
			t.Errorf("%s of a valid run: no rate found", form)
		}
		for _, run := range []*Run{broken(), cutOff(), rankLost(), unvalidated()} {
			run.Status, run.Kernels[0].Power = Valid, metered().Kernels[0].Power
			var b bytes.Buffer
			err := write(run, &b)
			status, _ := run.verdict()
			if block := form == "official.txt" || form == "spec.txt"; block && status != Unvalidated {
				expect.Error(t, err, run.Verdict(), form)
				expect.Equal(t, b.Len(), 0, form)
			}
			expect.Equal(t, findRate(run, b.String()), "", form, "of a run that is", run.Verdict(), "\n", b.String())
		}
	}
}

var (
	figure       = regexp.MustCompile(`[0-9][0-9.e+-]*`)
	figureOfTEPS = regexp.MustCompile(`(?i)[0-9] [kMGTPE]?TEPS|TEPS: *!? *[0-9]`)
)

// findRate returns a figure in text that is a rate of the run or of one of its searches, "" if there is none.
func findRate(r *Run, text string) string {
	var y []float64
	for _, s := range r.Kernels[0].Searches {
		y = append(y, s.Seconds/float64(s.Edges))
	}
	rates := make(map[string]bool)
	for _, x := range append(RatesOf(y).list(), y...) {
		for _, v := range []float64{x, 1 / x} {
			rates[cFloat(v, 6)], rates[output.Number(v)] = true, true
		}
	}
	rates[output.Number(r.Kernels[0].Power.TEPSPerWatt)] = true
	for _, f := range figure.FindAllString(text, -1) {
		if rates[f] {
			return f
		}
	}
	return figureOfTEPS.FindString(text)
}

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
		expect.Equal(t, k.inWholeRounds(settings.Duration(c.enough*1e9)), c.want, "searches of 1 s from", c.roots,
			"are complete for", c.enough, "s")
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
		"MPI and NCCL was UCX_TLS=tcp and is unchanged": {Kernels: begun(1, "cpu", 2).Kernels,
			Environment: Environment{Engine: "cpu", Threads: 2, MPI: "MPICH", Variables: []string{"UCX_TLS=tcp"}}},
	} {
		expect.Error(t, earlier.CheckSameMachine(now), want)
	}
	for _, earlier := range []*Run{begun(1, "cpu", 2), begun(0, "gpu", 4)} {
		expect.NoError(t, earlier.CheckSameMachine(now))
	}
}

// Variables of MPI and NCCL count only in runs whose messages they may change.
func TestVariablesOfTransport(t *testing.T) {
	for gpus, want := range map[string]string{
		"":                                   "",
		"MPICH":                              "UCX_TLS=tcp",
		"MPICH, peer to 1 of 1":              "",
		"MPICH, NCCL 2.28 to 1 of 1":         "NCCL_ALGO=ring",
		", NCCL 2.28 to 1 of 1":              "NCCL_ALGO=ring",
		"MPICH, staged in host memory":       "UCX_TLS=tcp",
		"MPICH, peer to 1 of 3, NCCL to 2":   "NCCL_ALGO=ring",
		"MPICH, MPI from device memory to 1": "UCX_TLS=tcp",
		", MPI from device memory":           "",
	} {
		e := Environment{Variables: []string{"NCCL_ALGO=ring", "UCX_TLS=tcp"}}
		e.MPI, gpus, _ = strings.Cut(gpus, ", ")
		if gpus != "" {
			e.Device = &Device{Transports: gpus}
		}
		expect.Equal(t, strings.Join(e.OfTransport(), " "), want, e.MPI, gpus)
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
