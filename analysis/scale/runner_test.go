// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"g500/internal/expect"
	"g500/internal/lock"
	"g500/record"
	"g500/settings"
)

// fakeProgram is a substitute for g500: it records its arguments, and copies the run.json that the test has prepared
// under the name of the run's folder. Without one it fails; with the text "sleep" it waits for a signal.
const fakeProgram = `#!/bin/sh
here=$(dirname "$0")
for dir; do :; done # the last argument
name=$(basename "$dir")
echo "$*" >>"$here/calls"
if [ ! -f "$here/$name.json" ]; then
	exit 1
fi
if [ "$(cat "$here/$name.json")" = sleep ]; then
	exec sleep 60
fi
cat "$here/$name.json" >"$dir/run.json"
`

// bed executes a study with a fake program.
type bed struct {
	t    *testing.T
	dir  string // of the study
	fake string // folder of the fake program
	log  []string
	left []Planned // at the start
	time time.Duration
}

func newBed(t *testing.T) *bed {
	b := &bed{t: t, dir: filepath.Join(t.TempDir(), "study"), fake: t.TempDir()}
	expect.NoError(t, os.WriteFile(b.program(), []byte(fakeProgram), 0o700))
	return b
}

func (b *bed) program() string { return filepath.Join(b.fake, "g500") }

// leaves prepares the run.json that the program will leave.
func (b *bed) leaves(name string, run *record.Run) {
	b.t.Helper()
	expect.Write(b.t, filepath.Join(b.fake, name+".json"), expect.Written(b.t, run.WriteJSON))
}

// run starts the study and returns the calls of the program, with the study's folder as DIR.
func (b *bed) run(ctx context.Context, s Study, only ...int) (failed int, calls string, err error) {
	b.t.Helper()
	b.log = nil
	os.Remove(filepath.Join(b.fake, "calls"))
	failed, err = Runner{Study: s, Dir: b.dir, Only: only, Program: b.program(), Watch: b}.Run(ctx)
	text, _ := os.ReadFile(filepath.Join(b.fake, "calls"))
	return failed, strings.ReplaceAll(string(text), b.dir, "DIR"), err
}

func (b *bed) Settled(_ Study, pace *Pace, left []Planned) { b.left, b.time = left, pace.Of(left) }

func (b *bed) Begins(r Planned, i, n int, resumed bool) {
	b.log = append(b.log, fmt.Sprintf("%d/%d %v begins, resumed %v", i, n, r, resumed))
}

func (b *bed) Ended(r Planned, i, n int, _ *record.Run, now bool, err error) {
	b.log = append(b.log, fmt.Sprintf("%d/%d %v ended, now %v: %v", i, n, r, now, err))
}

// done returns a run with that many of two searches done.
func done(scale, ranks, searches int) *record.Run {
	k := record.KernelRun{Kernel: record.BFS, Keys: 2}
	c := settings.Default()
	c.Graph.Scale, c.Search.Keys, c.Machine.Ranks = scale, 2, ranks
	r := &record.Run{Scale: scale, EdgeFactor: 16, Ranks: ranks, ResultBits: 64, Config: &c}
	r.Environment = record.Environment{Nodes: slices.Repeat([]string{"host"}, ranks), Engine: "cpu", Threads: 1,
		Transport: "loopback"}
	for key := range searches {
		k.Searches = append(k.Searches, record.Search{Key: key, Seconds: 1, Edges: 100, EdgesWithLoops: 100, Reached: 9,
			Levels: 2, ValidateSeconds: 1})
	}
	r.Kernels = []record.KernelRun{k}
	return r
}

var oneAndTwo = Study{Scaling: Strong, Scales: []int{4}, Ranks: []int{1, 2}, Repeats: 1, RanksPerNode: 1}

func TestRunOfAnotherKernelDoesNotCount(t *testing.T) {
	for kernel, counts := range map[string]bool{"": true, "bfs": true, "sssp": false, record.Both: false} {
		got := done(4, 1, 2)
		got.Settle()
		err := verdict(Planned{Scale: 4, Ranks: 1, Repeat: 1, Kernel: kernel}, got)
		expect.Equal(t, err == nil, counts, "kernel", kernel, "of a run with bfs:", err)
	}
}

func TestFolderDecides(t *testing.T) {
	one := Study{Scaling: Strong, Scales: []int{4}, Ranks: []int{1}, Repeats: 1, RanksPerNode: 1}
	broken := done(4, 1, 2)
	broken.Kernels[0].Searches[1].Fault = "the tree has a cycle"
	edited := done(4, 1, 2)
	edited.Kernels[0].Searches[1].Edges = 5
	for meaning, c := range map[string]struct {
		before   *record.Run // in the run's folder
		searches string      // in searches.jsonl
		after    *record.Run // the run.json that the program will leave
		calls    string
		failed   int
	}{
		"valid: skipped": {done(4, 1, 2), "{}\n{}\n", nil, "", 0},
		"cut off: resumed": {
			done(4, 1, 0), "{}\n{", done(4, 1, 2), "run --resume DIR/scale4-ranks1-run1\n", 0},
		"cut off before the first search: started again": {
			done(4, 1, 0), "", done(4, 1, 2), "run --ranks 1 --scale 4 --output DIR/scale4-ranks1-run1\n", 0},
		"a wrong tree: kept, not searched again": {broken, "{}\n{}\n", nil, "", 1},
		"inconsistent counts: kept, not counted": {edited, "{}\n{}\n", nil, "", 1},
		"another number of ranks": {
			nil, "", done(4, 3, 2), "run --ranks 1 --scale 4 --output DIR/scale4-ranks1-run1\n", 1},
		"incomplete": {
			nil, "", done(4, 1, 1), "run --ranks 1 --scale 4 --output DIR/scale4-ranks1-run1\n", 1},
	} {
		b := newBed(t)
		dir := filepath.Join(b.dir, "scale4-ranks1-run1")
		if c.before != nil {
			expect.Write(t, filepath.Join(dir, record.File), expect.Written(t, c.before.WriteJSON))
			expect.Write(t, filepath.Join(dir, record.SearchesFile), c.searches)
		}
		if c.after != nil {
			b.leaves("scale4-ranks1-run1", c.after)
		}
		failed, calls, err := b.run(t.Context(), one)
		expect.Equal(t, []any{failed, calls, err}, []any{c.failed, c.calls, nil}, meaning, b.log)
	}
}

func TestDamagedRunIsLeftAlone(t *testing.T) {
	b := newBed(t)
	expect.Write(t, filepath.Join(b.dir, "scale4-ranks1-run1", record.File), "{")
	failed, calls, err := b.run(t.Context(), oneAndTwo)
	expect.That(t, failed == 2 && err == nil && !strings.Contains(calls, "ranks1") &&
		strings.Contains(b.log[0], "remove it to repeat the run"),
		"%d failed, error %v, calls %q, log %q", failed, err, calls, b.log)
}

// A study may grow, but settings that affect comparisons must not change.
func TestStudyMayOnlyGrow(t *testing.T) {
	b := newBed(t)
	config := expect.File(t, "s.toml", "[graph]\nscale = 4\n")
	start := func(text string) error {
		s := expect.Value(Load(expect.File(t, "s.toml", text)))(t)
		s.Config, s.configText = config, "keys = 1"
		if strings.Contains(text, "edited") {
			s.configText = "keys = 2"
		}
		_, _, err := b.run(t.Context(), s)
		return err
	}
	expect.NoError(t, start(strong))
	expect.NoError(t, start(strings.Replace(strong, "[1]", "[1, 2]", 1)+"repeats = 2\nlimit = \"1h\"\n"))
	for _, other := range []string{"flags = [\"--trace\"]\n", "launch = [\"x\", \"{ranks}\"]\n", "# edited\n"} {
		expect.Error(t, start(strong+other), "other settings", other)
	}
	expect.Error(t, start(strings.Replace(strong, "[1]", "[8]", 1)), "without a common run")
	s := expect.Value(Load(filepath.Join(b.dir, File)))(t)
	expect.Equal(t, []any{s.Config, s.Repeats, s.configText}, []any{configFile, 2, "keys = 1"}, "in the folder")
}

// A study keeps its threads per rank if it grows, also on a machine with other cores.
func TestStudyKeepsItsThreads(t *testing.T) {
	b := newBed(t)
	start := func(text string, cores int) (calls string) {
		s := expect.Value(Load(expect.File(t, "s.toml", text)))(t)
		os.Remove(filepath.Join(b.fake, "calls"))
		r := Runner{Study: s, Dir: b.dir, Program: b.program(), Cores: cores, Watch: b}
		if _, err := r.Run(t.Context()); err != nil {
			return err.Error()
		}
		made, _ := os.ReadFile(filepath.Join(b.fake, "calls"))
		return string(made)
	}
	more := strings.Replace(strong, "[1]", "[1, 2]", 1)
	for _, c := range []struct {
		text  string
		cores int
		want  string
	}{
		{strong, 4, "run --threads 4 --ranks 1 "}, {more, 4, "run --threads 4 --ranks 2 "},
		{more, 16, "run --threads 4 --ranks 2 "}, {more + "threads = 2\n", 4, "other settings"},
		{more + "threads = 4\n", 4, "run --threads 4 --ranks 2 "},
	} {
		expect.Contains(t, start(c.text, c.cores), c.want)
	}
}

// The table of a study without a study.toml is not replaced.
func TestTableOfAnotherStudyIsKept(t *testing.T) {
	b := newBed(t)
	expect.Write(t, filepath.Join(b.dir, TableFile), "another table")
	_, _, err := b.run(t.Context(), oneAndTwo)
	expect.Error(t, err, "of another study")
}

// Two processes may run different sizes of a study, but not the same.
func TestSizesAreLocked(t *testing.T) {
	b := newBed(t)
	expect.NoError(t, os.MkdirAll(b.dir, 0o700))
	other := expect.Value(lock.Take(filepath.Join(b.dir, "ranks1.lock")))(t)
	_, _, err := b.run(t.Context(), oneAndTwo)
	expect.Error(t, err, "another g500 scale")
	unlike := filepath.Join(b.dir, "ranks2.lock")
	expect.NoError(t, os.Mkdir(unlike, 0o700)) // cannot be opened, as another user's file
	_, _, err = b.run(t.Context(), oneAndTwo, 2)
	expect.Error(t, err, "(umask 002): ")
	expect.NoError(t, os.Remove(unlike))
	_, calls, err := b.run(t.Context(), oneAndTwo, 2)
	expect.NoError(t, err)
	expect.Equal(t, calls, "run --ranks 2 --scale 4 --output DIR/scale4-ranks2-run1\n")
	other.File.Close()
	_, _, err = b.run(t.Context(), oneAndTwo)
	expect.NoError(t, err)
}

// A process that uses the folder's files for a moment is waited for.
func TestExclusiveWaits(t *testing.T) {
	dir := t.TempDir()
	other := expect.Value(lock.Take(filepath.Join(dir, lockFile)))(t)
	releases := make(chan bool, 1)
	time.AfterFunc(20*time.Millisecond, func() { releases <- true; _ = other.Release() })
	expect.NoError(t, Exclusive(dir, func() error {
		expect.Equal(t, len(releases), 1, "one process uses the folder")
		return nil
	}))
}

// The umask alone decides who may continue a study: all files are writable for all without one.
func TestUmaskDecidesWhoMayContinue(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	b := newBed(t)
	b.leaves("scale4-ranks1-run1", done(4, 1, 2))
	_, _, err := b.run(t.Context(), oneAndTwo)
	expect.NoError(t, err)
	expect.NoError(t, filepath.WalkDir(b.dir, func(name string, entry fs.DirEntry, err error) error {
		info, failed := entry.Info()
		expect.That(t, failed == nil && info.Mode().Perm()&0o066 == 0o066, "%s: %v, %v", name, info.Mode(), failed)
		return err
	}))
}

// The remaining time follows from the runs that have ended, in this process or before.
func TestPace(t *testing.T) {
	weak := Study{Scaling: Weak, Scales: []int{24}, Ranks: []int{1, 4}, Repeats: 2, RanksPerNode: 1, Threads: 2,
		Kernels: []string{"bfs", "sssp"}}
	run := func(scale, ranks int, kernel string) Planned { return Planned{scale, ranks, Ranks, ranks, 1, kernel} }
	pace := &Pace{study: weak}
	near := func(got time.Duration, want float64, what string) {
		expect.That(t, math.Abs(got.Seconds()-want) <= 0.02*want, "%s: %v, want %g s", what, got, want)
	}
	near(pace.Of([]Planned{run(24, 1, "bfs")}), startSeconds+math.Exp2(28)*threadSeconds/2, "before the first run")
	near(pace.Of([]Planned{run(99, 1, "bfs")}), longest, "longer than a time.Duration")
	pace.Add(run(24, 1, "bfs"), 10*time.Second)
	pace.Add(run(24, 1, "bfs"), 14*time.Second)
	near(pace.Of([]Planned{run(24, 1, "bfs"), run(26, 4, "bfs")}), 12+12, "as much work per rank")
	near(pace.Of([]Planned{run(25, 1, "bfs")}), 24, "twice the graph")
	near(pace.Of([]Planned{run(24, 1, "sssp")}), 12*pathsFactor, "another kernel")
	pace.Add(run(26, 4, "bfs"), 20*time.Second)
	near(pace.Of([]Planned{run(26, 4, "bfs"), run(27, 4, "bfs")}), 20+40, "the nearest run")

	b := newBed(t)
	expect.Write(t, filepath.Join(b.dir, "scale4-ranks1-run1", record.File), expect.Written(t, done(4, 1, 2).WriteJSON))
	_, _, err := b.run(t.Context(), oneAndTwo) // two searches of 1 s, validated in 1 s each
	expect.NoError(t, err)
	expect.Equal(t, []int{len(b.left), b.left[0].Ranks}, []int{1, 2}, "left", b.left)
	near(b.time, 4, "of a stored run")
}

// The limit applies to each run.
func TestLimit(t *testing.T) {
	b := newBed(t)
	expect.Write(t, filepath.Join(b.fake, "scale4-ranks1-run1.json"), "sleep")
	expect.Write(t, filepath.Join(b.fake, "scale4-ranks2-run1.json"), "sleep")
	s := oneAndTwo
	s.Limit = settings.Duration(50 * time.Millisecond)
	const over = "the study's limit is over), see its log.txt: it printed nothing"
	failed, _, err := b.run(t.Context(), s)
	expect.That(t, failed == 2 && err == nil && strings.Contains(b.log[1], over) && strings.Contains(b.log[3], over),
		"%d failed, error %v, log %q", failed, err, b.log)
}

// strong is the shortest valid study.
const strong = "scaling = \"strong\"\nscales = [4]\nranks = [1]\n"

func TestRepositoryStudies(t *testing.T) {
	files, err := filepath.Glob("../../configs/studies/*.toml")
	expect.Must(t, err == nil && len(files) != 0, "no study (%v)", err)
	for _, file := range files {
		expect.NoError(t, expect.Err(Load(file)))
	}
	first := expect.Value(Load("../../configs/studies/laptop.toml"))(t) // cores of one rank, without messages
	expect.Equal(t, first.Axis(), Cores)
	expect.Equal(t, first.Sizes(), []int{1, 2})
}

func TestLoadNamesTheFault(t *testing.T) {
	for meaning, c := range map[string]struct{ text, want string }{
		"no TOML":         {"scaling = \n", ":1:"},
		"unknown setting": {strong + "rank = 3\n", "no setting \"rank\""},
		"unknown scaling": {strings.Replace(strong, "strong", "super", 1), "strong or weak"},
		"no ranks":        {"scaling = \"weak\"\nscales = [4]\n", "gpus, nodes or cores"},
		"no such scale":   {strings.Replace(strong, "4", "0", 1), "scales = 0"},
		"no ranks at all": {strings.Replace(strong, "[1]", "[1, 0]", 1), "ranks = 0"},
		"no kernel":       {strong + "kernels = [\"dfs\"]\n", "bfs, sssp or both"},
		"kernels twice": {strong + "kernels = [\"sssp\"]\nflags = [\"--kernel=bfs\"]\n",
			"must not have --kernel"},
		"three ranks, weak":      {"scaling = \"weak\"\nscales = [4]\nranks = [1, 3]\n", "powers of two"},
		"threads twice":          {strong + "threads = 2\nflags = [\"--threads\", \"1\"]\n", "must not have --threads"},
		"no threads":             {strong + "threads = -1\n", "threads = -1: it must be from 1 to 1024, or 0"},
		"no repeats":             {strong + "repeats = 0\n", "repeats"},
		"repeats mistyped":       {strong + "repeats = 1000000000\n", "repeats = 1000000000: it must be from 1 to 1000"},
		"the study's own flag":   {strong + "flags = [\"--scale=4\"]\n", "--scale, which the study sets"},
		"two axes":               {strong + "nodes = [1]\n", "exclude each other"},
		"nodes on one machine":   {strings.Replace(strong, "ranks", "nodes", 1), "add launch"},
		"cores and threads":      {strings.Replace(strong, "ranks", "cores", 1) + "threads = 2\n", "exclude each other"},
		"too many cores":         {"scaling = \"strong\"\nscales = [4]\ncores = [2000]\n", "1024 at most"},
		"an engine for GPUs":     {strings.Replace(strong, "ranks", "gpus", 1) + "flags = [\"--engine=cpu\"]\n", "--engine"},
		"a launch without ranks": {strong + "launch = [\"mpirun\"]\n", "{ranks}"},
		"nodes without a launch": {strong + "ranks_per_node = 4\n", "without launch"},
		"no duration":            {strong + "limit = \"soon\"\n", "soon"},
		"a negative limit":       {strong + "limit = \"-1s\"\n", "above 0"},
		"no such configuration":  {strong + "config = \"nowhere.toml\"\n", "nowhere.toml"},
	} {
		expect.Error(t, expect.Err(Load(expect.File(t, "s.toml", c.text))), c.want, meaning)
	}
	expect.Error(t, expect.Err(Load("nowhere.toml")), "scale: ")
}

// All runs of a study have the same number of threads per rank, unless something else decides.
func TestFixedThreads(t *testing.T) {
	for meaning, c := range map[string]struct {
		study       string
		cores, want int
	}{
		"cores by the most ranks":   {"ranks = [4, 1, 2]\n", 32, 8},
		"rounded down":              {"ranks = [1, 3]\n", 32, 10},
		"more ranks than cores":     {"ranks = [1, 4]\n", 2, 1},
		"the study's own":           {"ranks = [1, 4]\nthreads = 3\n", 32, 3},
		"a flag":                    {"ranks = [1, 4]\nflags = [\"--threads\", \"1\"]\n", 32, 0},
		"a flag with =":             {"ranks = [1, 4]\nflags = [\"--threads=1\"]\n", 32, 0},
		"a preset":                  {"ranks = [1, 4]\nconfig = \"tiny\"\n", 32, 8},
		"a launcher":                {"ranks = [1, 4]\nlaunch = [\"srun\", \"-n{ranks}\"]\n", 32, 0},
		"a launcher, the study's":   {"ranks = [1]\nthreads = 3\nlaunch = [\"srun\", \"-n{ranks}\"]\n", 32, 3},
		"cores that are not known":  {"ranks = [1, 4]\n", 0, 0},
		"more cores than a setting": {"ranks = [1]\n", 5000, 1024},
	} {
		s := expect.Value(Load(expect.File(t, "s.toml", strings.Replace(strong, "ranks = [1]\n", c.study, 1))))(t)
		expect.Equal(t, s.fixedThreads(c.cores), c.want, meaning)
	}
	s := Study{Ranks: []int{1}, Config: "x", configText: "[machine]\nthreads = 5\n"}
	expect.Equal(t, s.fixedThreads(8), 0)
}

func TestPlan(t *testing.T) {
	name := func(s Study) string {
		var names []string
		for _, r := range s.Plan() {
			names = append(names, r.String())
		}
		return strings.Join(names, " ")
	}
	for meaning, c := range map[string]struct {
		study Study
		want  string
	}{
		"rounds of all points, each in an order of its own": {
			Study{Scaling: Strong, Scales: []int{20}, Ranks: []int{4, 1, 1}, Repeats: 2},
			"scale20-ranks1-run1 scale20-ranks4-run1 scale20-ranks4-run2 scale20-ranks1-run2"},
		"the graph grows with the ranks": {
			Study{Scaling: Weak, Scales: []int{20, 10}, Ranks: []int{1, 8}, Repeats: 1},
			"scale20-ranks1-run1 scale23-ranks8-run1 scale10-ranks1-run1 scale13-ranks8-run1"},
		"each kernel; runs of BFS have the names of a study without kernels": {
			Study{Scaling: Strong, Scales: []int{20}, Ranks: []int{1}, Repeats: 1, Kernels: []string{"sssp", "bfs"}},
			"scale20-ranks1-run1 scale20-ranks1-run1-sssp"},
		"nodes": {Study{Scaling: Weak, Scales: []int{20}, Nodes: []int{2}, RanksPerNode: 4, Repeats: 1},
			"scale21-nodes2-run1"},
		"GPUs":  {Study{Scaling: Strong, Scales: []int{20}, GPUs: []int{2}, Repeats: 1}, "scale20-gpus2-run1"},
		"cores": {Study{Scaling: Weak, Scales: []int{20}, Cores: []int{4}, Repeats: 1}, "scale22-cores4-run1"},
	} {
		expect.Equal(t, name(c.study), c.want, meaning)
	}
}

func TestCommand(t *testing.T) {
	for meaning, c := range map[string]struct {
		study          Study
		config, kernel string
		resume         bool
		want           string
	}{
		"goroutines of one process": {Study{RanksPerNode: 1, Flags: []string{"--engine", "cpu"}}, "c.toml", "", false,
			"g500 run --config c.toml --engine cpu --ranks 6 --scale 26 --output d"},
		"a launcher, nodes rounded up": {
			Study{RanksPerNode: 4, Launch: []string{"srun", "-N{nodes}", "-n", "{ranks}", "s{scale}"}}, "c.toml", "", false,
			"srun -N2 -n 6 s26 g500 run --config c.toml --scale 26 --output d"},
		"resumed": {Study{RanksPerNode: 1, Launch: []string{"mpirun", "-n", "{ranks}"}, Flags: []string{"--trace"}},
			"c.toml", "", true, "mpirun -n 6 g500 run --resume d"},
		"no configuration": {Study{RanksPerNode: 1}, "", "", false, "g500 run --ranks 6 --scale 26 --output d"},
		"threads": {Study{RanksPerNode: 1, Threads: 2, Flags: []string{"--trace"}}, "", "", false,
			"g500 run --threads 2 --trace --ranks 6 --scale 26 --output d"},
		"a kernel": {Study{RanksPerNode: 1}, "", "sssp", false,
			"g500 run --kernel sssp --ranks 6 --scale 26 --output d"},
		"cores": {Study{RanksPerNode: 1, Cores: []int{6}}, "", "", false,
			"g500 run --threads 6 --ranks 6 --scale 26 --output d"},
		"GPUs": {Study{RanksPerNode: 1, GPUs: []int{6}}, "", "", false,
			"g500 run --engine gpu --ranks 6 --scale 26 --output d"},
	} {
		r := Planned{Scale: 26, Ranks: 6, Units: 6, Repeat: 1, Kernel: c.kernel}
		expect.Equal(t, strings.Join(c.study.command("g500", c.config, "d", r, c.resume), " "), c.want, meaning)
	}
}
