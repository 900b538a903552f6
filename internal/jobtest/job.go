package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ending is the set of ends that a job may have.
type ending int

const (
	mustBeValid ending = iota
	mustFail           // one sentence, and a failing exit status
	mayFail            // either
	notChecked         // INVALID, because the results were not validated
)

// job is a run of g500, with the commands before it.
type job struct {
	number int
	input  input
	kernel string
	engine string
	prune  string
	ranks  int
	mpi    bool // ranks are MPI processes, not goroutines of one process
	want   ending

	args   []string // of "g500 run", the input's included
	dir    string   // output folder, "" for none
	json   bool
	stop   os.Signal // that ends the run early, nil for none; the job then resumes it
	stopAt time.Duration
}

// drawer draws jobs.
type drawer struct {
	seed   uint64
	cases  []caseFile
	folder string // for files of the jobs
	mpi    bool   // MPI ranks can be started
}

// dice draws the settings of one job.
type dice struct{ *rand.Rand }

// percent returns true in p of 100 draws.
func (d dice) percent(p int) bool { return d.IntN(100) < p }

// of returns one of the choices.
func (d dice) of(choices ...string) string { return choices[d.IntN(len(choices))] }

// between returns a whole number from low to high.
func (d dice) between(low, high int) int { return low + d.IntN(high-low+1) }

// job draws the job with this number, from 1.
func (w drawer) job(number int) job {
	d := dice{rand.New(rand.NewPCG(w.seed, uint64(number)))}
	j := job{number: number, engine: d.of("cpu", "cpu", "topdown", "auto"), prune: "none"}
	j.kernel = d.of("bfs", "bfs", "sssp", "both")
	j.ranks = d.between(1, 7)
	j.mpi = d.percent(25) && w.mpi
	j.input = w.input(d, j.kernel != "bfs")
	j.want = j.input.want
	j.add("--kernel", j.kernel, "--engine", j.engine)
	if !j.mpi {
		j.add("--ranks", strconv.Itoa(j.ranks))
	}
	j.args = append(j.args, j.input.args...)
	if j.kernel != "bfs" && !j.input.weights {
		j.allow(mayFail)
	}
	j.drawSearch(d, w)
	j.drawMachine(d)
	j.drawOutput(d, w)
	return j
}

func (j *job) add(args ...string) { j.args = append(j.args, args...) }

// allow widens the ending that the job must have. It leaves mustFail unchanged.
func (j *job) allow(e ending) {
	if j.want != mustFail {
		j.want = e
	}
}

// drawSearch draws pruning, keys or roots, time, and validation.
func (j *job) drawSearch(d dice, w drawer) {
	if j.kernel != "bfs" && d.percent(30) || d.percent(1) {
		j.prune = "hub"
		j.add("--prune", j.prune)
		if j.kernel == "bfs" {
			j.want = mustFail
		}
	}
	switch {
	case j.input.roots != "" && d.percent(70):
		j.add("--roots", j.input.roots)
	case d.percent(12):
		j.drawRoots(d, w)
	case j.input.large:
		j.add("--keys", strconv.Itoa(d.between(8, 16)))
	case d.percent(60):
		j.add("--keys", strconv.Itoa(d.between(1, 12)))
	case d.percent(10):
		j.add("--keys", strconv.Itoa(d.between(65, 200)))
	}
	if d.percent(8) {
		j.add("--min-time", fmt.Sprintf("%dms", d.between(1, 15)))
	}
	if d.percent(6) {
		j.add("--validate=false")
		if j.want == mustBeValid {
			j.want = notChecked
		} else {
			j.allow(mayFail)
		}
	}
}

// drawRoots names a file of roots, some of which may be on no edge, and seldom a file that is none of roots.
func (j *job) drawRoots(d dice, w drawer) {
	j.allow(mayFail)
	if d.percent(20) {
		j.add("--roots", w.cases[d.IntN(len(w.cases))].path)
		return
	}
	var text strings.Builder
	for range d.between(1, 6) {
		fmt.Fprintln(&text, d.between(0, 40))
	}
	if d.percent(20) {
		text.WriteString(d.of("-1\n", "x\n", "\xff\x00\n", "1e3\n", "99999999999999999999\n", "7"))
	}
	path := filepath.Join(w.folder, fmt.Sprintf("roots-%d.txt", j.number))
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err == nil { // a missing file is a misuse like others
		j.add("--roots", path)
	}
}

// drawMachine draws threads and emulated hosts.
func (j *job) drawMachine(d dice) {
	if d.percent(25) {
		j.add("--threads", strconv.Itoa(d.between(1, 4)))
	}
	if d.percent(8) {
		j.add("--emulate-nodes", strconv.Itoa(d.between(1, j.ranks)))
	}
	if j.engine == "cpu" && d.percent(15) {
		j.add("--trace")
	}
}

// drawOutput draws the format and the place of the result, and an early end.
func (j *job) drawOutput(d dice, w drawer) {
	if j.json = d.percent(20); j.json {
		j.add("--json")
	} else if d.percent(15) {
		j.add("--names", "spec")
	}
	if d.percent(15) {
		j.add("--quiet")
	}
	if d.percent(60) {
		j.dir = filepath.Join(w.folder, fmt.Sprintf("run-%d", j.number))
		j.add("--output", j.dir)
		if d.percent(25) {
			j.add("--trees")
		}
		if j.want == mustBeValid && !j.input.pipe && !slices.Contains(j.args, "--min-time") && d.percent(20) {
			j.drawStop(d)
		}
	}
}

// drawStop has a signal end the run, which then takes long enough for that.
func (j *job) drawStop(d dice) {
	j.stop = os.Kill
	if d.percent(50) || j.mpi {
		j.stop = term
	}
	j.stopAt = time.Duration(d.between(20, 800)) * time.Millisecond
	if !slices.Contains(j.args, "--roots") && !slices.Contains(j.args, "--keys") {
		j.add("--keys", strconv.Itoa(d.between(200, 600)))
	}
}

// command returns the command line of a run with these arguments, and of its ranks' launcher.
func (j job) command(o options, args []string) []string {
	run := append([]string{o.program, "run"}, args...)
	if !j.mpi {
		return run
	}
	return slices.Concat(strings.Fields(o.mpirun), []string{"-n", strconv.Itoa(j.ranks)}, run)
}

// resumption returns the arguments that go on with the run of the job.
func (j job) resumption() []string {
	args := []string{"--resume", j.dir}
	if j.json {
		args = append(args, "--json")
	}
	return args
}
