// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"g500/analysis/scale"
	"g500/internal/expect"
	"g500/record"
)

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
		if left := set.OutsideScaling(); len(left) != 1 || left[0].Count() != 1 || left[0].Runs[0].Units != 4 {
			t.Errorf("%s: in no table: %v, want the failed run of a size with a valid one", scaling, left)
		}
		var out Scaling
		expect.NoError(t, json.Unmarshal([]byte(expect.Written(t, set.WriteScaling)), &out))
		if s := out.Series[0]; len(s.Points) != 1 || s.Points[0].Units != 4 || s.Points[0].Efficiency.Value != 1 ||
			len(s.Lost) != 2 || s.Lost[0].Failed != 2 || s.Lost[1] != (Lost{8, set.Series[0].Lost[1].Scale, 0, NotRun}) {
			t.Errorf("%s: %+v", scaling, s)
		}
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
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("%d columns: %s", n, line)
			}
		}
	}
}

// If one study's folder is inside another's, its runs belong to the inner study only, also those that
// are counted as missing.
func TestRunsOfOneStudy(t *testing.T) {
	dir := t.TempDir()
	stored(t, dir, "outer", "", 2)
	stored(t, dir, "inner/run", "", 2)
	for _, folder := range []string{".", "inner"} {
		text := "scaling = \"strong\"\nscales = [10]\nranks = [1]\n"
		expect.Write(t, filepath.Join(dir, folder, "study.toml"), text)
	}
	set := expect.Value(Read(dir))(t)
	for folder, run := range map[string]string{".": "outer", "inner": "inner/run"} {
		if own := set.OfStudy(folder).Runs; len(own) != 2 || own[0].Folder != run || own[1].Folder != run {
			t.Errorf("%s has %+v", folder, own)
		}
	}
	for i, folder := range []string{"other", "scale10-ranks1-run1", "inner/scale10-ranks1-run1"} {
		stored(t, dir, folder, "", 2)
		planned, missing := expect.Value(Read(dir))(t).Planned()
		expect.Equal(t, planned, 2, folder)
		expect.Equal(t, missing, 2-i, folder)
	}
}
