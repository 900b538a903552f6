// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/csv"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"g500/internal/expect"
)

// A figure that is not finite is null in run.json and in the list of searches, and empty in tables.
func TestFiguresThatAreNotFinite(t *testing.T) {
	run := sound()
	first := run.Kernels[0].Searches
	first[1].Seconds, first[2].Seconds, run.Kernels[1].ConstructionSeconds = math.NaN(), math.Inf(1), math.Inf(1)
	text := written(t, (*Run).WriteJSON, run)
	read, err := Parse([]byte(text))
	expect.That(t, err == nil && read.Status == Invalid && math.IsNaN(read.Kernels[0].Searches[2].Seconds) &&
		written(t, (*Run).WriteJSON, read) == text && strings.Contains(text, `"construction_seconds": null`),
		"error %v, %s, read from\n%s", err, read.Verdict(), text)
	line, err := BFS.Line(first[1])
	expect.That(t, err == nil && strings.Contains(string(line), `"seconds":null,`), "%s, error %v", line, err)
	expect.Contains(t, written(t, writers["csv"], run), "\n1,11,,2090000,")
}

func TestParseRefuses(t *testing.T) {
	whole := written(t, (*Run).WriteJSON, small())
	for _, c := range []struct{ meaning, text, want string }{
		{"cut off", whole[:len(whole)/2], "is no JSON: the text is damaged or cut off: use the original file"},
		{"another run after it", whole + whole, "is no JSON: the text is damaged or cut off"},
		{"text after it", whole + " x", "is no JSON: the text is damaged or cut off"},
		{"a later format", strings.Replace(whole, `"format": 3`, `"format": 4`, 1),
			"JSON format 4, this g500 reads format 3"},
		{"an earlier format", strings.Replace(whole, `"format": 3`, `"format": 2`, 1), "read it with the g500 that wrote it"},
		{"another program's file", `{"searches": []}`, "a run has a member format, which is 3"},
		{"no format", `{"format": null}`, "a member format, which is 3"},
		{"a format in quotes", `{"format": "3"}`, "a member format, which is 3"},
		{"no object", `[3]`, "the value must be an object, not a list"},
		{"nothing", `null`, "the file is no run of g500"},
		{"a number for a text", strings.Replace(whole, `"status": "`, `"status": 3, "x": "`, 1),
			"record: run.json: status must be a text, not a number: use the original file, or leave this folder out"},
	} {
		expect.Error(t, expect.Err(Parse([]byte(c.text))), c.want, c.meaning)
	}
	dir := t.TempDir()
	expect.Write(t, filepath.Join(dir, SearchesFile), "{\"key\": 0} {\"key\": 1}\n")
	expect.Error(t, expect.Err(readSearches(dir)), "search 0: line 1 is no JSON")
}

// A policy has the keys of this program: the run of another one lacks some, and has others.
func TestPolicyOfAnotherProgram(t *testing.T) {
	whole := written(t, (*Run).WriteJSON, sound())
	other := strings.Replace(whole, `"hub_vertices": 4000000,`, `"core_vertices": 4000000,`, 1)
	run, err := Parse([]byte(other))
	expect.That(t, err == nil && other != whole && run.Contradiction == "" && written(t, (*Run).WriteJSON, run) == whole,
		"%v, %+v", err, run)
}

// The text of every program reads back as it was: run.json keeps it.
func TestPrograms(t *testing.T) {
	for text, want := range map[string]struct {
		Program
		label        string
		reproducible bool
	}{
		"g500 0.3.0 (commit 1234567)":       {Program{"g500 0.3.0", "1234567", false}, "1234567", true},
		"g500 0.3.0 (commit 1234567-dirty)": {Program{"g500 0.3.0", "1234567", true}, "1234567-dirty", false},
		"g500 0.3.0 (commit unknown)":       {Program{"g500 0.3.0", UnknownCommit, false}, "g500 0.3.0", false},
		"g500 0.3.0 (commit )":              {Program{"g500 0.3.0 (commit )", "", false}, "g500 0.3.0 (commit )", true},
		"another (commit 1":                 {Program{"another (commit 1", "", false}, "another (commit 1", true},
		"":                                  {Program{}, "", true},
	} {
		var got Program
		err := got.UnmarshalText([]byte(text))
		expect.That(t, err == nil && got == want.Program && got.String() == text && got.Label() == want.label &&
			got.Reproducible() == want.reproducible, "%q is %+v, %q, %v; %v", text, got, got.Label(), got.Reproducible(), err)
	}
}

// small is a valid run on a tiny graph: fewer than 64 keys, two searches resumed, one note.
func small() *Run {
	return &Run{
		Scale: 5, EdgeFactor: 8, Ranks: 3, ResultBits: 64, GenerationSeconds: 0.25,
		Kernels: []KernelRun{{Kernel: BFS, Keys: 5, ConstructionSeconds: 0.5, Searches: []Search{
			{Key: 0, Root: 17, Seconds: 0.004, Edges: 200, EdgesWithLoops: 209, Reached: 21, Levels: 4, ValidateSeconds: 0.010},
			{Key: 1, Root: 3, Seconds: 0.002, Edges: 200, EdgesWithLoops: 209, Reached: 21, Levels: 3, ValidateSeconds: 0.012},
			{Key: 2, Root: 30, Seconds: 0.001, Edges: 2, EdgesWithLoops: 2, Reached: 2, Levels: 2, ValidateSeconds: 0.011},
			{Key: 3, Root: 8, Seconds: 0.005, Edges: 200, EdgesWithLoops: 209, Reached: 21, Levels: 4, ValidateSeconds: 0.014},
			{Key: 4, Root: 0, Seconds: 0.0025, Edges: 200, EdgesWithLoops: 209, Reached: 21, Levels: 3, ValidateSeconds: 0.013},
		}}},
		Resumed: 2,
		Parts: []Part{
			{Searches: 0, Environment: Environment{Started: "2026-01-02T01:00:00Z"}},
			{Searches: 2, ConstructionSeconds: 0.4, Environment: Environment{Started: "2026-01-02T02:00:00Z"}},
		},
		Notes: []string{"the edges were read from tiny.edges"},
		Environment: Environment{
			Program: Program{Version: "g500 test"},
			Command: []string{"g500", "run", "--output", "runs/<tiny>"}, Started: "2026-01-02T03:04:05Z",
			Nodes: []string{"a", "a", "b"}, CPU: "abacus", Cores: 2, Threads: 1, MemoryB: 1 << 30,
			System: "linux/amd64", Go: "go1.24", Transport: "loopback", Engine: "topdown",
		},
	}
}

// broken is the small run with a wrong tree.
func broken() *Run {
	return searched(func(k *KernelRun) { k.Searches[2].Fault = "the tree has a cycle" })
}

func cutOff() *Run {
	return edited(func(r *Run) { r.Kernels[0].Searches, r.Failure = r.Kernels[0].Searches[:3], "interrupted" })
}

func rankLost() *Run { return edited(func(r *Run) { r.Failure = "rank 2 was killed" }) }

func unvalidated() *Run {
	return searched(func(k *KernelRun) {
		for i := range k.Searches {
			k.Searches[i].ValidateSeconds = NotValidated
		}
	})
}

// sample is a run with the statistics of testdata/sample_official.txt, output of the Graph500 reference code. Its 64
// times are invented to fit.
func sample(t *testing.T) *Run {
	t.Helper()
	in := expect.Value(os.Open("testdata/sample_searches.csv"))(t)
	defer in.Close()
	rows := expect.Value(csv.NewReader(in).ReadAll())(t)
	number := func(text string) float64 { return expect.Value(strconv.ParseFloat(text, 64))(t) }
	r := &Run{
		Scale: 10, EdgeFactor: 16, Ranks: 1, GenerationSeconds: 0.00418746,
		Kernels: []KernelRun{{Kernel: BFS, Keys: 64, ConstructionSeconds: 0.000464493}},
	}
	for key, row := range rows[1:] {
		r.Kernels[0].Searches = append(r.Kernels[0].Searches, Search{
			Key: key, Seconds: number(row[0]), Edges: 16239, ValidateSeconds: number(row[1]),
		})
	}
	return r
}

// writers are all outputs of a run.
var writers = map[string]func(*Run, io.Writer) error{
	"official.txt": (*Run).WriteOfficial,
	"spec.txt":     (*Run).WriteSpec,
	"json":         (*Run).WriteJSON,
	"csv":          func(r *Run, w io.Writer) error { return r.WriteCSV(w, r.Kernels[0]) },
	"summary.txt":  (*Run).WriteSummary,
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

func written(t *testing.T, write func(*Run, io.Writer) error, r *Run) string {
	t.Helper()
	return expect.Written(t, func(w io.Writer) error { return write(r, w) })
}

// The files in testdata have every output of some runs, and of others the outputs that are theirs alone.
func TestGolden(t *testing.T) {
	all := slices.Collect(maps.Keys(writers))
	for name, c := range map[string]struct {
		run   *Run
		forms []string
	}{
		"small":        {small(), all},
		"unvalidated":  {unvalidated(), all},
		"both":         {withPaths(), []string{"official.txt", "spec.txt", "summary.txt"}},
		"paths":        {alone(withPaths(), SSSP), []string{"spec.txt"}},
		"cut-off":      {cutOff(), []string{"json", "summary.txt"}},
		"traced":       {traced(), []string{"json", "summary.txt"}},
		"traced-alone": {tracedAlone(), []string{"json", "summary.txt"}},
		"metered":      {metered(), []string{"json", "summary.txt"}},
		"refused":      {searched(func(k *KernelRun) { k.Power = &Power{Refused: "no changes"} }), []string{"summary.txt"}},
		"32-bit":       {edited(func(r *Run) { r.ResultBits = 32 }), []string{"summary.txt"}},
		"other-bits":   {edited(func(r *Run) { r.ResultBits = 0 }), []string{"summary.txt"}},
	} {
		for _, form := range c.forms {
			expect.Golden(t, "testdata/"+name+"."+form, written(t, writers[form], c.run))
		}
	}
}

// 64 searches whose statistics a run of the Graph500 reference code printed give that run's BFS lines to the byte.
func TestOfficialSample(t *testing.T) {
	got, want := written(t, (*Run).WriteOfficial, sample(t)), expect.Read(t, "testdata/sample_official.txt")
	expect.Equal(t, got, want)
	expect.Equal(t, heads(written(t, (*Run).WriteOfficial, small())), heads(want), "the keys of another run")
	both := expect.Read(t, "testdata/official_both.txt")
	expect.Equal(t, heads(written(t, (*Run).WriteOfficial, withPaths())), heads(both), "the keys of both kernels")
}

func heads(block string) []string {
	var h []string
	for _, line := range lines(block) {
		h = append(h, line[:32]) // up to the column of values
	}
	return h
}

// The block has the keys that the specification requires of a BFS run. It may have others.
func TestSpecNames(t *testing.T) {
	for _, key := range strings.Fields(`SCALE edgefactor NBFS construction_time
		bfs_min_time bfs_firstquartile_time bfs_median_time bfs_thirdquartile_time bfs_max_time
		bfs_mean_time bfs_stddev_time
		bfs_min_nedge bfs_firstquartile_nedge bfs_median_nedge bfs_thirdquartile_nedge bfs_max_nedge
		bfs_mean_nedge bfs_stddev_nedge
		bfs_min_TEPS bfs_firstquartile_TEPS bfs_median_TEPS bfs_thirdquartile_TEPS bfs_max_TEPS
		bfs_harmonic_mean_TEPS bfs_harmonic_stddev_TEPS`) {
		expect.Contains(t, "\n"+written(t, (*Run).WriteSpec, small()), "\n"+key+":")
	}
}

// The wanted texts are the output of printf in C.
func TestCFloat(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		want   string
	}{
		{0.00418746, 6, "0.00418746"}, {0.0001, 6, "0.0001"}, {0.00001, 6, "1e-05"},
		{7.79939e-06, 6, "7.79939e-06"}, {9.0474e+07, 6, "9.0474e+07"}, {814320, 6, "814320"},
		{16239, 6, "16239"}, {123456.7, 6, "123457"}, {999999.4, 6, "999999"}, {999999.5, 6, "1e+06"},
		{1e6, 6, "1e+06"}, {1234567, 6, "1.23457e+06"}, {1.5e300, 6, "1.5e+300"}, {0, 6, "0"}, {-1, 6, "-1"},
		{math.Inf(1), 6, "inf"}, {math.Inf(-1), 6, "-inf"}, {1234567, 11, "1234567"},
		{1073731075.5, 11, "1073731075.5"}, {137437972330, 11, "1.3743797233e+11"},
	} {
		expect.Equal(t, cFloat(c.x, c.digits), c.want, c.digits, c.x)
	}
}

// withPaths is the small run with SSSP as a second kernel, with other times, edge counts and validation times.
func withPaths() *Run {
	run := small()
	paths := KernelRun{Kernel: SSSP, Keys: 5, ConstructionSeconds: 1, Searches: slices.Clone(run.Kernels[0].Searches)}
	for i := range paths.Searches {
		s := &paths.Searches[i]
		s.Seconds, s.ValidateSeconds, s.Edges = 2*s.Seconds, 3*s.ValidateSeconds, s.Edges+1+int64(i)
	}
	run.Kernels = append(run.Kernels, paths)
	return run
}

// alone is the run with one of its kernels only.
func alone(run *Run, kernel Kernel) *Run {
	one := *run
	one.Kernels = []KernelRun{*run.KernelRun(kernel)}
	return &one
}
