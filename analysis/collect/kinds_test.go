// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"g500/analysis/scale"
	"g500/internal/expect"
	"g500/internal/lists"
	"g500/record"
	"g500/settings"
)

// Every run of a set is in a scaling table, or a sentence says why not.
func TestEveryRunIsInATableOrASentence(t *testing.T) {
	study := func(threads int, machine string) Kind {
		return Kind{Study: ".", Scaling: scale.Strong, Machine: machine, Threads: threads}
	}
	weak := func(threads int) Kind { k := study(threads, "m"); k.Scaling = scale.Weak; return k }
	failed := func(r *Run) *Run { r.Failure = "killed"; return r }
	loose := func(threads int) Kind { return Kind{Machine: "m", Threads: threads} }
	for name, c := range map[string]struct {
		runs []*Run
		want []string
	}{
		"all in one table": {[]*Run{at(study(1, "m"), 9, 1, 1), at(study(1, "m"), 9, 2, 1)}, nil},
		"another number of threads": {[]*Run{at(study(2, "m"), 10, 1, 1), at(study(2, "m"), 12, 1, 1),
			at(study(1, "m"), 10, 2, 1), at(study(1, "m"), 10, 4, 1), at(study(1, "m"), 12, 2, 1), at(study(1, "m"), 12, 4, 1)},
			[]string{"2 runs at scales 10 and 12 on 1 rank: 2 threads per rank, and 1 thread per rank on other numbers of " +
				"ranks: give all runs the same --threads"}},
		"the same, weak": {[]*Run{at(weak(4), 10, 1, 1), at(weak(2), 11, 2, 1), at(weak(2), 12, 4, 1)},
			[]string{"run f0 at scale 10 on 1 rank: 4 threads per rank, and 2 threads per rank on other numbers of ranks: " +
				"give all runs the same --threads"}},
		"nodes of unequal cores": {[]*Run{at(study(0, "m"), 9, 1, 1), at(study(0, "m"), 9, 2, 1), at(study(0, "n"), 9, 8, 1)},
			[]string{"run f2 at scale 9 on 8 ranks: machine n, and m on other numbers of ranks"}},
		"the others failed": {[]*Run{at(study(1, "m"), 9, 1, 1), failed(at(study(1, "m"), 9, 2, 1))},
			[]string{"run f0 at scale 9 on 1 rank: no valid run on another number of ranks has the same settings",
				"run f1 at scale 9 on 2 ranks: not valid"}},
		"one run": {[]*Run{failed(at(loose(1), 9, 1, 1))},
			[]string{"the run at scale 9 on 1 rank: not valid"}},
		"one number of ranks, outside a study": {[]*Run{at(loose(1), 9, 1, 1), at(loose(1), 10, 1, 1)}, nil},
		"two of them": {[]*Run{at(loose(2), 9, 1, 1), at(loose(1), 9, 2, 1)}, []string{
			"run f0 at scale 9 on 1 rank: 2 threads per rank, and 1 thread per rank on other numbers of ranks: " +
				"give all runs the same --threads",
			"run f1 at scale 9 on 2 ranks: 1 thread per rank, and 2 threads per rank on other numbers of ranks: " +
				"give all runs the same --threads"}},
	} {
		for i, r := range c.runs {
			if r.Folder = fmt.Sprint("f", i); len(c.runs) == 1 {
				r.Folder = "."
			}
		}
		set := NewSet(c.runs)
		var got []string
		inTables := 0
		for _, left := range set.OutsideScaling() {
			inTables -= left.Count()
			got = append(got, left.String())
		}
		expect.Equal(t, strings.Join(got, "\n"), strings.Join(c.want, "\n"), name)
		inTables += len(c.runs)
		for _, s := range set.Series {
			for _, p := range s.Points {
				inTables -= len(p.Runs)
			}
		}
		expect.That(t, inTables == 0 || strings.Contains(name, "outside a study"),
			"%s: %d runs are in no table and no sentence", name, inTables)
	}
}

func TestPlaces(t *testing.T) {
	for want, c := range map[string][2][]int{
		"at scale 9 on 1 rank":                       {{9, 9}, {1}},
		"at scales 9 and 10 on 2 ranks":              {{10, 9}, {2}},
		"at scale 9 on 1, 2 and 4 ranks":             {{9}, {4, 2, 1, 1}},
		"at scales 1 to 9 on 1, 2, 3, 4 and 5 ranks": {{1, 2, 3, 4, 5, 9}, {1, 2, 3, 4, 5}},
	} {
		expect.Equal(t, Places(c[0], c[1]), want)
	}
}

func TestGTEPS(t *testing.T) {
	for teps, want := range map[float64]string{
		5.518e12: "5,518", 1e12: "1,000", 927.4e9: "927", 38.83e9: "38.8", 1e9: "1.00",
		366.2e6: "0.366", 1.234e15: "1,234,000",
		81e3: "0.0000810", 0: "0",
	} {
		expect.Equal(t, GTEPS(teps), want, teps)
	}
}

// stored writes a run of both kernels. Its shortest paths take four times as long as BFS.
func stored(t *testing.T, dir, name, prune string, done int) {
	t.Helper()
	config := settings.Default()
	config.Graph.Scale, config.Search.Kernel, config.Search.Keys = 10, record.Both, 2
	if prune != "" {
		config.Search.Prune = prune
	}
	run := record.Run{Scale: 10, EdgeFactor: 16, Ranks: 1, ResultBits: 64, Config: &config,
		Environment: record.Environment{Engine: "cpu", CPU: "cpu", Nodes: []string{"h"}, Threads: 1, Transport: "loopback",
			Program: record.Program{Version: "p"}},
		Kernels: []record.KernelRun{
			{Kernel: record.BFS, Keys: 2, ConstructionSeconds: 1},
			{Kernel: record.SSSP, Keys: 2, Prune: prune, ConstructionSeconds: 5},
		}}
	for key := range 2 {
		s := record.Search{Key: key, Root: int64(key), Seconds: 0.5, Edges: 100, EdgesWithLoops: 100, Reached: 3, Levels: 2,
			ValidateSeconds: 1}
		bfs, paths := &run.Kernels[0], &run.Kernels[1]
		bfs.Searches = append(bfs.Searches, s)
		s.Seconds = 2
		if key < done {
			paths.Searches = append(paths.Searches, s)
		}
	}
	expect.Write(t, filepath.Join(dir, name, record.File), expect.Written(t, run.WriteJSON))
}

// Machines with the same processor and other numbers of cores are different, unless the ranks compute on GPUs. A graph
// that its file makes directed is named so.
func TestKinds(t *testing.T) {
	run := &record.Run{EdgeFactor: 16, Environment: record.Environment{Engine: "cpu", CPU: "Xeon", Cores: 32, Threads: 2},
		Graph: &record.Graph{Spec: "file:a.mtx,symmetric=auto", Directed: true}}
	of := func() string { return kindOf(run, record.KernelRun{Kernel: record.BFS}).String() }
	large := of()
	run.Environment.Cores, run.Graph.Directed = 1, false
	small := of()
	run.Environment.Device = &record.Device{Name: "GPU"}
	for got, want := range map[string]string{large: "Xeon (32 cores), cpu, 2 threads per rank, directed",
		small: "Xeon (1 core), cpu, 2 threads per rank", of(): "GPU, cpu"} {
		expect.Equal(t, got, want)
	}
}

// Searches of different kernels or pruning are in different points.
func TestKernelsAreApart(t *testing.T) {
	dir := t.TempDir()
	stored(t, dir, "a", "", 2)
	stored(t, dir, "b", "hub", 2)
	set := expect.Value(Read(dir))(t)
	all, valid := set.Count()
	expect.Equal(t, []int{all, valid, len(set.Runs), len(set.OutsideScaling())}, []int{2, 2, 4, 0}, "runs")
	got := map[string][2]float64{} // runs and rate
	for _, p := range set.Points {
		got[p.Kind.KernelName()] = [2]float64{float64(len(p.Runs)), p.TEPS.Median}
	}
	expect.Equal(t, got, map[string][2]float64{"": {2, 200}, "SSSP": {1, 50}, "SSSP pruned by a hub": {1, 50}})
	expect.Contains(t, set.SummaryTable().Text(), "cpu, cpu, SSSP pruned by a hub", "5.00 s")
}

// A run that was cut off in its second kernel counts for neither kernel.
func TestRunWithoutItsSecondKernel(t *testing.T) {
	dir := t.TempDir()
	stored(t, dir, "a", "", 1)
	set := expect.Value(Read(dir))(t)
	all, valid := set.Count()
	faults, has := set.FaultTable()
	expect.Equal(t, []any{all, valid, len(set.Points), has, len(faults.Rows)}, []any{1, 0, 0, true, 1}, faults.Rows)
}

// Table Results has the medians of several runs, as the tables of the series.
func TestSummaryHasMedians(t *testing.T) {
	set := testSet(t)
	study := func(row []string) bool { return strings.HasPrefix(row[0], "study") && row[1] == "1" }
	rows := set.SummaryTable().Rows
	results := rows[slices.IndexFunc(rows, study)]
	units := set.Series[1].unitTable().Rows[0]
	expect.Equal(t, results[4:8], []string{"11.9 ms", units[3], units[4], "2"})
}

// lossy returns a study of 2, 4 and 8 ranks, of which only 4 are valid in one of two runs, and 8 have not run.
func lossy(t *testing.T, scaling string) *Set {
	t.Helper()
	text := fmt.Sprintf("scaling = %q\nscales = [20]\nranks = [2, 4, 8]\nrepeats = 2\nkernels = [\"bfs\"]\n", scaling)
	studies := map[string]scale.Study{".": expect.Value(scale.Load(expect.File(t, "s.toml", text)))(t)}
	var runs []*Run
	for _, p := range studies["."].Plan() {
		r := at(Kind{Threads: 1, Machine: "AMD EPYC (2 cores)", Engine: "cpu"}, p.Scale, p.Ranks, 1234e9)
		r.Folder = p.String()
		switch {
		case p.Units == 8:
			continue
		case p.Units == 2 || p.Repeat == 1: // it did not begin
			r = &Run{Run: &record.Run{Status: record.Incomplete, Failure: "srun: no node", Scale: p.Scale, Ranks: 1},
				KernelRun: record.KernelRun{Kernel: record.BFS}, Folder: p.String()}
			r.Run.Kernels = []record.KernelRun{r.KernelRun}
		}
		r.Kind.Kernel = record.BFS
		r.KernelRun.Kernel = record.BFS
		r.join(studies)
		runs = append(runs, r)
	}
	return setOf(NewSet(runs).Runs, nil, studies)
}

// Each size of a study's plan that has no valid run is a row with its reason.
func TestLostSizes(t *testing.T) {
	for scaling, want := range map[string]string{
		scale.Strong: "  ranks    runs  GTEPS  spread  speed-up  efficiency  95% interval\n" +
			"      2  0 of 2  INVALID: srun: no node\n" +
			"      4  1 of 2  1,234              1.00        100%\n" +
			"      8  0 of 2  not run yet\n",
		scale.Weak: "  ranks  scale    runs  GTEPS  spread  speed-up  efficiency  95% interval\n" +
			"      2     21  0 of 2  INVALID: srun: no node\n" +
			"      4     22  1 of 2  1,234              1.00        100%\n" +
			"      8     23  0 of 2  not run yet\n",
	} {
		set := lossy(t, scaling)
		expect.Contains(t, set.ScalingTables()[0].Text(), want)
		left := set.OutsideScaling()
		expect.That(t, len(left) == 1 && left[0].Count() == 1 && left[0].Runs[0].Units == 4,
			"%s: in no table: %v, want the failed run of a size with a valid one", scaling, left)
		var out Scaling
		expect.NoError(t, json.Unmarshal([]byte(expect.Written(t, set.WriteScaling)), &out))
		s := out.Series[0]
		expect.That(t, len(s.Points) == 1 && s.Points[0].Units == 4 && s.Points[0].Efficiency.Value == 1 &&
			len(s.Lost) == 2 && s.Lost[0].Failed == 2 && s.Lost[1] == (Lost{8, set.Series[0].Lost[1].Scale, 0, NotRun}),
			"%s: %+v", scaling, s)
	}
}

// Tables of a study on a terminal have 80 columns, also with long figures.
func TestScalingTablesHave80Columns(t *testing.T) {
	var runs []*Run
	for _, ranks := range []int{1, 1024} {
		for i := range 2 {
			r := at(Kind{Machine: "m", Axis: scale.Nodes}, 36, ranks, float64(ranks)*1.2345e11)
			if ranks > 1 {
				r.Scale = 46
			}
			r.Searches[0].Seconds += float64(i) / 50
			runs = append(runs, r)
		}
	}
	for i, r := range runs {
		r.Folder = fmt.Sprintf("study/scale46-ranks1024-run%d-sssp", i)
	}
	set := NewSet(runs)
	tables := append(set.ScalingTables(), set.ShortRunTable())
	expect.Equal(t, len(tables), 3)
	for _, table := range tables {
		for _, line := range strings.Split(table.Text(), "\n") {
			n := utf8.RuneCountInString(line)
			expect.That(t, n <= 80, "%d columns: %s", n, line)
		}
	}
}

// If one study's folder is inside another's, its runs belong to the inner one only, also missing ones.
func TestRunsOfOneStudy(t *testing.T) {
	dir := t.TempDir()
	stored(t, dir, "outer", "", 2)
	stored(t, dir, "inner/run", "", 2)
	for _, folder := range []string{".", "inner"} {
		expect.Write(t, filepath.Join(dir, folder, "study.toml"), "scaling = \"strong\"\nscales = [10]\nranks = [1]\n")
	}
	set := expect.Value(Read(dir))(t)
	for folder, run := range map[string]string{".": "outer", "inner": "inner/run"} {
		own := set.OfStudy(folder).Runs
		expect.Equal(t, lists.Of(own, func(r *Run) string { return r.Folder }), []string{run, run}, "runs of study", folder)
	}
	for i, folder := range []string{"other", "scale10-ranks1-run1", "inner/scale10-ranks1-run1"} {
		stored(t, dir, folder, "", 2)
		planned, missing := expect.Value(Read(dir))(t).Planned()
		expect.Equal(t, planned, 2, folder)
		expect.Equal(t, missing, 2-i, folder)
	}
}
