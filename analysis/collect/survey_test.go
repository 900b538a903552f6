// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"encoding/csv"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"g500/analysis/scale"
	"g500/internal/expect"
	"g500/internal/lists"
	"g500/record"
	"g500/settings"
)

// testSet reads the set in testdata: four traced runs of four searches on H200s; a study on a CPU with two repeats of
// two points and one run that was cut off; a damaged file.
func testSet(t *testing.T) *Set {
	t.Helper()
	return expect.Value(Read("testdata/set"))(t)
}

func TestGolden(t *testing.T) {
	set := testSet(t)
	expect.Golden(t, "testdata/runs.csv", expect.Written(t, set.WriteCSV))
	var text strings.Builder
	for _, table := range set.Tables() {
		text.WriteString(table.Text() + "\n")
	}
	expect.Golden(t, "testdata/tables.txt", text.String())
}

func TestReadReportsSkippedFiles(t *testing.T) {
	set := testSet(t)
	expect.Equal(t, []int{len(set.Runs), len(set.Unread)}, []int{9, 1}, "runs, left out", set.Unread)
	for _, part := range []string{"there is no run", "cut off"} {
		expect.Error(t, expect.Err(Read("testdata/set/damaged")), part)
	}
	expect.Equal(t, expect.Value(Read("testdata/set/h200/g4s28"))(t).Runs[0].Folder, ".", "the folder of one run")
}

// A submission has a copy of a run, which does not count.
func TestSubmissionsAreNoRuns(t *testing.T) {
	text, dir := expect.Read(t, "testdata/set/h200/g4s28/run.json"), t.TempDir()
	for name, text := range map[string]string{"run.json": text, "submission/SHA256SUMS": "", "submission/run.json": text} {
		expect.Write(t, filepath.Join(dir, name), text)
	}
	expect.Equal(t, len(expect.Value(Read(dir))(t).Runs), 1)
}

// at is a valid run of one search with a rate.
func at(k Kind, scale, ranks int, teps float64) *Run {
	kernel := record.KernelRun{Kernel: record.BFS, Keys: 1,
		Searches: []record.Search{{Seconds: 1, Edges: int64(teps), ValidateSeconds: 1}}}
	return &Run{Kind: k, KernelRun: kernel, Run: &record.Run{
		Status: record.Valid, Scale: scale, EdgeFactor: 16, Ranks: ranks, Kernels: []record.KernelRun{kernel},
	}}
}

// names lists the series that runs make, with the ranks of their points.
func names(runs ...*Run) string {
	var all []string
	for _, s := range NewSet(runs).Series {
		name := s.String()
		for _, p := range s.Points {
			name += " " + p.String()
		}
		all = append(all, name)
	}
	return strings.Join(all, "; ")
}

func TestSeries(t *testing.T) {
	k := Kind{Threads: 1}
	inStudy := Kind{Study: "s", Scaling: scale.Weak, Threads: 1}
	for meaning, c := range map[string]struct{ got, want string }{
		"one graph": {names(at(k, 20, 4, 2), at(k, 20, 1, 1)), "strong scaling, scale 20 scale 20, 1 rank scale 20, 4 ranks"},
		"one graph size per rank": {names(at(k, 20, 1, 1), at(k, 22, 4, 2)),
			"weak scaling, scale 20 per rank scale 20, 1 rank scale 22, 4 ranks"},
		"the diagonals of a grid are no series of their own": {names(at(k, 20, 1, 1), at(k, 20, 2, 1), at(k, 21, 1, 1),
			at(k, 21, 2, 1)),
			"strong scaling, scale 20 scale 20, 1 rank scale 20, 2 ranks; strong scaling, scale 21 scale 21, 1 rank " +
				"scale 21, 2 ranks"},
		"in a study of weak scaling they are": {names(at(inStudy, 20, 1, 1), at(inStudy, 20, 2, 1), at(inStudy, 21, 2, 1)),
			"weak scaling, scale 20 per rank scale 20, 1 rank scale 21, 2 ranks"},
		"three ranks fit into no weak scaling": {names(at(k, 20, 1, 1), at(k, 21, 3, 1)), ""},
		"repeats are one point":                {names(at(k, 20, 1, 1), at(k, 20, 1, 2)), ""},
		"GPUs": {names(at(Kind{}, 20, 1, 1), at(Kind{}, 21, 2, 1)),
			"weak scaling, scale 20 per GPU scale 20, 1 GPU scale 21, 2 GPUs"},
		"unlike machines": {
			names(at(Kind{Machine: "a"}, 20, 1, 1), at(Kind{Machine: "b"}, 20, 2, 1)), ""},
		"unlike ranks": {names(at(Kind{Threads: 2}, 20, 1, 1), at(Kind{Threads: 1}, 20, 2, 1)), ""},
	} {
		expect.Equal(t, c.got, c.want, meaning)
	}
}

// A study over cores is one series, though its runs have unlike threads; one over nodes counts these.
func TestAxes(t *testing.T) {
	const nodes = "nodes = [1, 2]\nranks_per_node = 4"
	for want, c := range map[string]struct{ study, ranks, threads string }{
		"strong scaling, scale 10: scale 10, 1 core, scale 10, 4 cores":        {"cores = [1, 4]", "1 1", "1 4"},
		"strong scaling, scale 10: scale 10, 1 node, scale 10, 2 nodes":        {nodes, "4 8", "1 1"},
		"weak scaling, scale 9 per core: scale 9, 1 core, scale 10, 2 cores":   {"cores = [1, 2]", "1 1", "1 2"},
		"weak scaling, scale 9 per node: scale 9, 1 node, scale 10, 2 nodes":   {nodes, "4 8", "1 1"},
		"strong scaling, scale 10: scale 10, 1 GPU, scale 10, 2 GPUs":          {"gpus = [1, 2]", "1 2", "0 0"},
		"strong scaling, scale 10: scale 10, 1 rank, scale 10, 2 ranks, 50.0%": {"ranks = [1, 2]", "1 2", "2 2"},
	} {
		scaling, _, _ := strings.Cut(want, " ")
		s := expect.Value(scale.Load(expect.File(t, "s.toml", fmt.Sprintf("scaling = %q\nscales = [10]\n%s\n"+
			"launch = [\"srun\", \"{ranks}\"]\n", scaling, c.study))))(t)
		var runs []*Run
		for i, ranks := range strings.Fields(c.ranks) {
			threads, n := number(t, strings.Fields(c.threads)[i]), number(t, ranks)
			r := at(Kind{Threads: threads}, 10, n, 100)
			if scaling == scale.Weak {
				r.Scale = 9 + i
			}
			r.Environment.Threads, r.Folder = threads, "run"
			r.join(map[string]scale.Study{".": s})
			runs = append(runs, r)
		}
		series := NewSet(runs).Series
		if len(series) != 1 {
			t.Errorf("%s: %d series", want, len(series))
			continue
		}
		p := series[0].Points
		got := fmt.Sprintf("%v: %v, %v, %s", series[0], p[0], p[1], Percent(p[1].Efficiency.Value))
		expect.Contains(t, got, want)
	}
}

func number(t *testing.T, text string) int { return expect.Value(strconv.Atoi(text))(t) }

// The interval of an efficiency has the true one in 95% of samples at least, with few and with many runs per point.
func TestIntervalOfAnEfficiencyIsTrue(t *testing.T) {
	const samples, truth = 600, 0.8
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 3, 15} {
		hits := 0
		for range samples {
			var runs []*Run
			for range n {
				noise := func() float64 { return math.Exp(0.05 * random.NormFloat64()) }
				runs = append(runs, at(Kind{}, 20, 1, 1e9*noise()), at(Kind{}, 20, 4, 4e9*truth*noise()))
			}
			if e := NewSet(runs).Series[0].Points[1].Efficiency; *e.Low <= truth && truth <= *e.High {
				hits++
			}
		}
		share := float64(hits) / samples
		expect.That(t, share >= 0.94, "%d runs: %g of the intervals have the efficiency", n, share)
	}
}

// The baseline is the median of three runs on two ranks, 200 TEPS; six ranks that make 300 are 1.5 times as
// fast, and half as fast as ideal ones.
func TestEfficiency(t *testing.T) {
	var k Kind
	series := NewSet([]*Run{at(k, 9, 2, 100), at(k, 9, 2, 260), at(k, 9, 2, 200), at(k, 9, 6, 300)}).Series
	expect.Must(t, len(series) == 1, "%d series", len(series))
	s := series[0]
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9*b }
	expect.Equal(t, s.BaselineName(), "scale 9, 2 GPUs: 200 TEPS, median of 3 runs")
	p := s.Points[1]
	expect.That(t, near(p.Speedup.Value, 1.5) && near(p.Efficiency.Value, 0.5) && near(s.Ideal(6), 600) &&
		s.Points[0].Efficiency == (Estimate{Value: 1}),
		"speed-up %+v, efficiency %+v, ideal %g", p.Speedup, p.Efficiency, s.Ideal(6))
}

// A title names the scaling once, also if the study has its name.
func TestTitles(t *testing.T) {
	for study, want := range map[string]string{"strong": "m", "s": "s, m"} {
		k := Kind{Study: study, Machine: "m"}
		table := NewSet([]*Run{at(k, 9, 1, 100), at(k, 9, 2, 200)}).Series[0].EfficiencyTable()
		expect.Equal(t, table.Title, "Strong scaling, scale 9: "+want)
	}
}

// An efficiency across versions of the program is noted, and a superseded run has none.
func TestEfficiencyAcrossVersions(t *testing.T) {
	by := func(program, started string, r *Run) *Run {
		r.Environment.Program.Version, r.Environment.Started = program, started
		return r
	}
	var k Kind
	set := NewSet([]*Run{
		by("old", "2026-01-01T00:00:00Z", at(k, 9, 1, 100)),
		by("new", "2026-02-01T00:00:00Z", at(k, 9, 2, 300)),
		by("old", "2026-01-01T00:00:00Z", at(k, 9, 2, 150)),
	})
	table := set.ScalingTables()[0]
	expect.Contains(t, table.Note, "TEPS, one run of old.", "2 versions of the program")
	expect.Equal(t, []string{table.Rows[0][0], table.Rows[1][0]}, []string{"old", "new"})
	for i, want := range []string{"1", "1.5", ""} {
		expect.Equal(t, set.scalingCells(set.Runs[i], scale.Strong)[1], want, "run", i)
	}
	expect.Equal(t, fmt.Sprint(set.OutsideScaling()), "[run  at scale 9 on 2 ranks: repeated later by another version "+
		"of the program]")
}

func TestVariants(t *testing.T) {
	for _, c := range []struct {
		want   string
		bits   int
		change func(c *record.Config)
	}{
		{"", 64, func(c *record.Config) { c.Search.Trace, c.Machine.Threads = true, 3 }},
		{"kernel-times true, exchange bins", 0, func(c *record.Config) {
			c.Search.Exchange, c.Search.KernelTimes = "bins", true
		}},
		{"spec road:9x9, 32-bit results", 32, func(c *record.Config) { c.Graph.Spec = "road:9x9" }},
		{"gpu-transport mpi, edge-memory host", 64, func(c *record.Config) {
			c.Machine.GPUTransport, c.Machine.EdgeMemory = "mpi", "host"
		}},
		{"2 ranks per emulated node", 64, func(c *record.Config) { c.Machine.EmulateNodes = 4 }},
	} {
		config := settings.Default()
		c.change(&config)
		run := &record.Run{Config: &config, Ranks: 8, ResultBits: c.bits}
		expect.Equal(t, kindOf(run, record.KernelRun{}).Settings(), c.want)
	}
}

// The typical run has a trace if any run has, and the nearest rate to the median.
func TestTypicalRun(t *testing.T) {
	var k Kind
	runs := []*Run{at(k, 9, 1, 100), at(k, 9, 1, 200), at(k, 9, 1, 300)}
	point := func() Point { return NewSet(runs).Points[0] }
	expect.Equal(t, point().Typical, runs[1])
	runs[2].Searches[0].Trace = []record.Level{{Step: "top-down", Frontier: 1, Seconds: 0.5}}
	expect.Equal(t, point().Typical, runs[2])
}

// Runs of an older program are not repeats of runs of a newer one.
func TestPointsAreOfOneProgram(t *testing.T) {
	k := Kind{Machine: "m"}
	old, first, second := at(k, 20, 1, 100), at(k, 20, 1, 200), at(k, 20, 1, 300)
	old.Environment.Program.Version, old.Environment.Started = "g500 1", "2026-01-01T00:00:00Z"
	first.Environment.Program.Version, first.Environment.Started = "g500 2", "2026-01-02T00:00:00Z"
	second.Environment.Program.Version, second.Environment.Started = "g500 2", "2026-01-03T00:00:00Z"
	set := NewSet([]*Run{first, old, second})
	points := set.Points
	expect.That(t, len(points) == 1 && len(points[0].Runs) == 2 && points[0].TEPS == (Spread{200, 250, 300}) &&
		points[0].Before.TEPS.Median == 100 && points[0].Before.Before == nil, "points %+v", points)
	expect.Equal(t, len(set.Runs), 3)
}

// A newer run with fewer search keys does not take the place of the longer ones.
func TestPointsHaveTheLongestRuns(t *testing.T) {
	long, short := at(Kind{}, 20, 1, 100), at(Kind{}, 20, 1, 300)
	long.Searches = append(long.Searches, long.Searches[0])
	short.Environment.Started = "2026-01-03T00:00:00Z"
	for _, runs := range [][]*Run{{long, short}, {short, long}} {
		set := NewSet(runs)
		left := set.LeftOut(func(Point) string { return "" })
		p := set.Points[0]
		expect.That(t, len(set.Points) == 1 && p.Typical == long && len(p.Runs) == 1 && p.Before == nil && len(left) == 1 &&
			left[0].Why == Shorter && left[0].Runs[0] == short, "points %+v, left out %v", set.Points, left)
	}
}

// A folder that cannot be read is reported, and all other runs are read. Root can, so the error is injected.
func TestUnreadableFolderIsLeftOut(t *testing.T) {
	entries := expect.Value(os.ReadDir("testdata"))(t)
	var set Set
	denied := &fs.PathError{Op: "open", Path: "runs/theirs", Err: fs.ErrPermission}
	for _, e := range entries {
		want := error(nil)
		if e.IsDir() {
			want = fs.SkipDir
		}
		expect.Equal(t, set.unreadable("runs", "runs/theirs", e, denied), want, e.Name())
	}
	expect.That(t, len(set.Unread) == len(entries) && strings.Contains(set.Unread[0], "runs/theirs was left out: "),
		"left out: %q", set.Unread)
	err := set.unreadable("runs", "runs", nil, denied)
	expect.That(t, err != nil, "the folder itself cannot be read, and the walk goes on")
	dir := t.TempDir()
	stored(t, dir, "readable", "", 2)
	expect.NoError(t, os.Mkdir(filepath.Join(dir, "closed"), 0))
	expect.Write(t, filepath.Join(dir, "empty", "run.json"), []byte(`{"format": 3}`)) // it has no kernel
	link := filepath.Join(t.TempDir(), "link")
	expect.NoError(t, os.Symlink(dir, link))
	linked := expect.Value(Read(link))(t)
	expect.Equal(t, []int{len(linked.Runs), len(linked.Unread)}, []int{2, 1 + min(os.Geteuid(), 1)}, "runs, and left out")
	one := expect.Value(Read(filepath.Join(dir, "readable", "run.json")))(t)
	expect.Equal(t, len(one.Runs), 2, "runs of one run.json")
}

// The tables of everything have a row per run and kernel, per search and per step, and all members of run.json.
func TestEverything(t *testing.T) {
	set := testSet(t)
	tables := map[string][][]string{}
	for name, write := range set.Everything() {
		rows := expect.Value(csv.NewReader(strings.NewReader(expect.Written(t, write))).ReadAll())(t)
		columns := lists.Distinct(rows[0])
		expect.Equal(t, len(columns), len(rows[0]), name, "has different columns", rows[0])
		expect.That(t, !slices.ContainsFunc(rows, func(row []string) bool { return slices.Contains(row, "null") }),
			"%s: a cell without a value is not empty", name)
		tables[name] = rows
	}
	searches, steps := 0, 0
	for _, r := range set.Runs {
		searches += len(r.Searches)
		for _, s := range r.Searches {
			steps += len(s.Trace)
		}
	}
	for name, want := range map[string]int{"all-runs.csv": len(set.Runs), "all-searches.csv": searches,
		"all-steps.csv": steps} {
		got := len(tables[name]) - 1
		expect.That(t, got == want && want != 0, "%s has %d rows, want %d", name, got, want)
	}
	runs := tables["all-runs.csv"]
	for i, r := range set.Runs {
		cell := func(column string) string { return runs[i+1][slices.Index(runs[0], column)] }
		expect.Equal(t, cell("folder"), r.Folder)
		for name, want := range expect.Value(r.Members(r.Kernel))(t) {
			got := cell(name)
			expect.That(t, got == want || sameNumber(got, want), "%s: %s is %q, in run.json %q", r.Folder, name, got, want)
		}
	}
}

func sameNumber(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

// Rates are noisy if a run's standard error is above 10%, or an interval of efficiency is wider than ±20%.
func TestNoise(t *testing.T) {
	run := func(ranks int, rates ...float64) *Run {
		r := at(Kind{}, 20, ranks, 1)
		r.Searches = nil
		for key, rate := range rates {
			r.Searches = append(r.Searches, record.Search{Key: key, Root: int64(key), Edges: 1e9, Seconds: 1 / rate})
		}
		r.Keys = len(rates)
		r.Run.Kernels[0] = r.KernelRun
		return r
	}
	const errors, wide = "standard error of 1 of 1 rate is above 10.0%, up to 11.5%", "wider than ±20.0% at 1 of 1 point"
	for _, c := range []struct {
		runs  []*Run
		wants []string // none: not noisy
	}{
		{[]*Run{run(1, 1, 0.87)}, nil},
		{[]*Run{run(1, 1, 0.85)}, []string{errors}},
		{[]*Run{run(1, 1, 1.01, 1.02), run(2, 2, 2.01, 2.02)}, nil},
		{[]*Run{run(1, 1, 1.01, 1.02), run(2, 2.4, 2, 2)}, []string{wide}},
		{[]*Run{run(1, 1), run(2, 2)}, []string{wide}},
		{[]*Run{run(1, 1), run(1, 1.5), run(2, 2), run(2, 3)}, []string{wide}}, // between runs
	} {
		got := NewSet(c.runs).Noise()
		expect.That(t, (got == "") == (c.wants == nil), "%v: %q", c.wants, got)
		expect.Contains(t, got, c.wants...)
	}
}
