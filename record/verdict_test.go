// SPDX-License-Identifier: Apache-2.0

package record

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
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
		expect.That(t, c.run.Status == c.status && (c.run.Reason == "") == (c.status == Valid),
			"%s: got status %s (%q), want %s", c.meaning, c.run.Status, c.run.Reason, c.status)
	}
}

// No output of a run that is not valid has one of its rates; if it is invalid or incomplete, whatever its field Status
// says, it has no result block, but the reason. The same scan finds rates in each output of a valid run.
func TestNoRates(t *testing.T) {
	for form, write := range writers {
		expect.That(t, findRate(metered(), written(t, write, metered())) != "", "%s of a valid run: no rate found", form)
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
	expect.That(t, r.AllSearched(), "a run with all searches lacks more than files")
	r.Config.Search.Power = true
	expect.That(t, !r.AllSearched(), "a run that lacks its power lacks only files")
}

// sound is a run of both kernels on two ranks: three keys in one component, the fourth in a small one.
func sound() *Run {
	c := settings.Default()
	c.Graph.Scale, c.Search.Kernel, c.Search.Prune, c.Search.Keys = 17, Both, "hub", 4
	c.Machine.Ranks, c.Machine.Threads = 2, 3
	run := &Run{Status: Valid, Scale: 17, EdgeFactor: 16, Ranks: 2, ResultBits: 64, GenerationSeconds: 1,
		RankGenerationSeconds: []float64{1, 0.5}, Kernels: NewKernelRuns(c.Search), Config: &c,
		Environment: Environment{Nodes: []string{"a", "b"}, Transport: "loopback", Engine: "cpu", Threads: 3}}
	for i := range run.Kernels {
		k := &run.Kernels[i]
		k.Keys, k.ConstructionSeconds = 4, float64(2+i)
		for key := range 4 {
			s := Search{Key: key, Root: int64(10 + key), Seconds: 0.01, ValidateSeconds: 1,
				Edges: 2090000, EdgesWithLoops: 2096000, Reached: 90087, Levels: 7}
			if key == 3 {
				s.Edges, s.EdgesWithLoops, s.Reached, s.Levels = 2, 3, 3, 2
			}
			k.Searches = append(k.Searches, s)
		}
	}
	return run
}

// cmd/g500 changes each member of a record by itself (TestEveryMemberOfARecordCounts).
func TestContradictionsAreFound(t *testing.T) {
	set := func(change func(c *Config)) func(*Run) { return func(r *Run) { change(r.Config) } }
	bfs := func(change func(k *KernelRun)) func(*Run) { return func(r *Run) { change(&r.Kernels[0]) } }
	for _, c := range []struct {
		meaning string
		change  func(r *Run)
		want    string // of the contradiction, "" for none
	}{
		{"a sound run", func(*Run) {}, ""},
		{"a run that did not begin", func(r *Run) { *r = Run{Scale: 9, Ranks: 4} }, ""},
		{"one search is done", func(r *Run) {
			r.Kernels[0].Searches, r.Kernels[1].Searches = r.Kernels[0].Searches[:1], nil
		}, ""},
		{"a wrong result", bfs(func(k *KernelRun) { k.Searches[1].Fault, k.Searches[1].Edges = "the tree has a cycle", 1 }),
			""},
		{"rounds of keys", func(r *Run) { r.Kernels[0].Keys, r.Config.Search.MinTime = 128, 90e9 }, ""},

		{"fewer edges than a tree has", bfs(func(k *KernelRun) { k.Searches[1].Edges = 5 }),
			"90086 edges at least, and counted 5"},
		{"fewer edges in one component", bfs(func(k *KernelRun) { k.Searches[1].Edges-- }),
			"must be in one component"},
		{"fewer self-loops in one component", bfs(func(k *KernelRun) { k.Searches[2].EdgesWithLoops-- }),
			"must be in one component"},
		{"fewer vertices in one component", bfs(func(k *KernelRun) { k.Searches[2].Reached-- }),
			"must be in one component"},
		{"counts by kernel", func(r *Run) { r.Kernels[1].Searches[3].Edges = 3 },
			"have one root, and counted 2 and 3 edges"},
		{"more edges than tuples", bfs(func(k *KernelRun) { k.Searches[2].EdgesWithLoops = 1 << 40 }),
			"of 2097152 tuples"},
		{"more edges than with self-loops", bfs(func(k *KernelRun) { k.Searches[2].Edges = 2096001 }),
			"of 2097152 tuples"},
		{"too many vertices", bfs(func(k *KernelRun) { k.Searches[2].Reached = 1 << 20 }), "of 131072 vertices"},
		{"a root outside", bfs(func(k *KernelRun) { k.Searches[2].Root = 1 << 20 }), "has root 1048576"},
		{"levels", bfs(func(k *KernelRun) { k.Searches[3].Levels = 4 }), "4 levels of 3 vertices"},
		{"a rate of no machine", bfs(func(k *KernelRun) { k.Searches[0].Seconds = 1e-12 }),
			"no machine has 1e+15 TEPS"},
		{"counts without validation", func(r *Run) {
			r.Config.Search.Validate = false
			for _, k := range r.Kernels {
				for i := range k.Searches {
					k.Searches[i].ValidateSeconds = -1
				}
			}
		}, "was not validated, and has"},
		{"one search without validation", bfs(func(k *KernelRun) { k.Searches[0].ValidateSeconds = -1 }),
			"validation true, and search key 0"},

		{"another scale", set(func(c *Config) { c.Graph.Scale = 18 }), "scale 18, and the run 17"},
		{"another pruning", set(func(c *Config) { c.Search.Prune = "none" }), "pruning none, and the searches hub"},
		{"fewer keys", set(func(c *Config) { c.Search.Keys = 3 }), "3 search keys, and the run 4"},
		{"another engine", set(func(c *Config) { c.Search.Engine = "topdown" }), "engine topdown, and the run cpu"},
		{"an engine that auto does not choose", func(r *Run) { r.Environment.Engine = "topdown" },
			"engine auto, and the run topdown"},
		{"settings of GPUs", set(func(c *Config) { c.Machine.EdgeMemory = "host" }), "edge-memory host, which engine cpu"},
		{"a trace", set(func(c *Config) { c.Search.Trace = true }), "trace true, and search key 0"},
		{"roots from a file", set(func(c *Config) { c.Search.Roots = "roots.txt" }), `the file "roots.txt" of roots`},

		{"devices", func(r *Run) { r.Environment.RankDevices = []string{"a"} }, "the devices of 1"},
		{"generation on a rank", func(r *Run) { r.RankGenerationSeconds[1] = 2 }, "2 s on one rank"},
		{"a GPU", func(r *Run) { r.Environment.Device = &Device{Name: "H200"} }, "engine cpu and the device"},
		{"an MPI library", func(r *Run) { r.Environment.MPI = "Open MPI" }, "MPI library"},
		{"machines", func(r *Run) { r.Environment.Machines = []Kind{{Nodes: []string{"a"}}} }, "other nodes than a, b"},
		{"keys by kernel", bfs(func(k *KernelRun) { k.Keys, k.Searches = 0, nil }), "kernel bfs has 0 search keys"},
		{"lists of a trace", func(r *Run) {
			r.Config.Search.Trace = true
			two := []float64{1, 1}
			for _, k := range r.Kernels {
				for i := range k.Searches {
					k.Searches[i].Trace = []Level{{Ranks: &RankCosts{two, two, two[:1], nil}}}
				}
			}
		}, "figures of [2 2 1] ranks"},
		{"power without meters", func(r *Run) {
			r.Config.Search.Power = true
			for i := range r.Kernels {
				r.Kernels[i].Power = &Power{Searches: 4, Seconds: 11}
			}
		}, "0 meters"},

		{"negative time", bfs(func(k *KernelRun) { k.ConstructionSeconds = -1 }), "kernel 1"},

		{"resumed without searches", func(r *Run) { r.Resumed = 9 },
			"resumed after 9 searches, and its earlier parts have 0"},
		{"resumed after more searches", func(r *Run) { r.Resumed, r.Parts = 9, []Part{{Searches: 9}} },
			"resumed after 9 searches, and has 8"},
		{"resumed elsewhere", func(r *Run) { r.Resumed, r.Parts = 3, []Part{{Searches: 2}} },
			"its earlier parts have 2"},
		{"parts that shrink", func(r *Run) { r.Parts = []Part{{Searches: 2}, {Searches: 1}} },
			"part 2 ended after 1"},

		{"no kernel", func(r *Run) { r.Kernels = nil }, "no kernel"},
		{"a kernel twice", bfs(func(k *KernelRun) { k.Kernel, k.Prune = SSSP, "hub" }), "kernel sssp twice"},
		{"another kernel than these", bfs(func(k *KernelRun) { k.Kernel = "dfs" }), `no kernel "dfs"`},
		{"roots by kernel", func(r *Run) { r.Kernels[1].Searches[3].Root = 99 }, "has root 99"},
	} {
		run := sound()
		c.change(run)
		expect.Error(t, Check(run), c.want, c.meaning)
		read := expect.Value(Parse([]byte(expect.Written(t, run.WriteJSON))))(t) // the same as read from a folder
		expect.Equal(t, read.Contradiction == "", c.want == "", c.meaning, "stored:", read.Contradiction)
	}
}

// Figures that follow from the searches are derived again, and a record has every member.
func TestDerivedFiguresAreChecked(t *testing.T) {
	whole := sound()
	whole.Config.Search.Power = true
	for i := range whole.Kernels {
		whole.Kernels[i].Power = &Power{Searches: 128, Seconds: 11, Meters: []Meter{{Watts: 300}, {Watts: 12.5}}}
		whole.Kernels[i].Power.Derive(whole.Kernels[i].Searches)
	}
	stored := expect.Written(t, whole.WriteJSON)
	for _, c := range []struct{ meaning, field, line, want string }{
		{"nothing is changed", `"format": 3,`, `"format": 3,`, ""},
		{"no median", `"median": [^,]*,\n`, "", "run.json lacks kernels[0].statistics.edges.median: restore"},
		{"no status", `"status": "VALID",`, "", "run.json lacks status: restore"},
		{"a member of another name", `"status": "VALID"`, `"Status": "VALID"`, "run.json lacks status"},
		{"another setting", `"keys": 4,`, `"keys": 4, "key": 1,`, "config.search.key is 1"},
		{"a better rate", `"harmonic_mean": [^,]*,`, `"harmonic_mean": 9e14,`, "statistics.teps.harmonic_mean is 9e14"},
		{"a rate that is better by one in a million", `"harmonic_mean": [^,]*,`,
			fmt.Sprintf(`"harmonic_mean": %v,`, 1.000001*sound().Statistics(sound().Kernels[0]).TEPS.HarmonicMean),
			"statistics.teps.harmonic_mean is"},
		{"a smaller error", `"harmonic_stddev": [^\n]*`, `"harmonic_stddev": 1`, "statistics.teps.harmonic_stddev is 1"},
		{"a shorter search", `"min": [^,]*,`, `"min": 1e-9,`, "min is 1e-9"},
		{"less power", `"teps_per_watt": [^,]*,`, `"teps_per_watt": 1e12,`, "power.teps_per_watt is 1e12"},
		{"another status", `"status": "VALID"`, `"status": "INVALID"`, `must be "VALID": restore the file`},
		{"a field that no run has", `"format": 3,`, `"format": 3, "rank": {"a": 1},`, "rank is present, and by scale"},
		{"a status of this package", `"status": "VALID"`, `"status": "INCONSISTENT"`, "INCONSISTENT"},
	} {
		text := regexp.MustCompile(c.field).ReplaceAllString(stored, c.line)
		run := expect.Value(Read(filepath.Dir(expect.File(t, File, text))))(t)
		expect.That(t, (run.Contradiction == "") == (c.want == "") && strings.Contains(run.Contradiction, c.want),
			"%s: %q, want %q", c.meaning, run.Contradiction, c.want)
		expect.That(t, c.want == "" || run.Status == Inconsistent && run.Statistics(run.Kernels[0]).TEPS == nil &&
			strings.HasPrefix(run.Verdict(), "INVALID: run.json "), "%s: %s, %s", c.meaning, run.Status, run.Verdict())
	}
}
