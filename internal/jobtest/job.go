// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"g500/graph/formats"
)

// ending is the set of ends that a job may have. If two of its settings differ in it, the larger one counts.
type ending int

const (
	mustBeValid ending = iota
	notChecked         // INVALID, because the results were not validated
	mayFail            // VALID or one sentence
	mustFail           // with one sentence and a failing exit status
)

// job is a run of g500, with the command before it that writes its input.
type job struct {
	number int
	graph
	want           ending
	kernel, engine string
	tasks          bool // ranks are tasks of mpirun; else goroutines of one process
	ranks          int
	args           []string // of "g500 run"
	prepare        []string // arguments of g500 that write the input, nil if it exists
	stdin          string   // file that the program reads through a pipe, "" for none
	dir            string   // output folder, "" for none
	json           bool
	stop           os.Signal // ends the run early, which a second one resumes; nil for none
	stopAt         time.Duration
}

// draw draws one job.
type draw struct {
	*rand.Rand
	job
	cases []graph
}

// percent returns true in p of 100 draws, of returns one of the choices, between a whole number from low to high.
func (d *draw) percent(p int) bool          { return d.IntN(100) < p }
func (d *draw) of(choices ...string) string { return choices[d.IntN(len(choices))] }
func (d *draw) between(low, high int) int   { return low + d.IntN(high-low+1) }

// add adds arguments in p of 100 draws, and reports whether it did.
func (d *draw) add(p int, args ...any) bool {
	if !d.percent(p) {
		return false
	}
	for _, arg := range args {
		d.args = append(d.args, fmt.Sprint(arg))
	}
	return true
}

// drawJob draws the job with this number, from 1.
func drawJob(cases []graph, number int) job {
	d := &draw{rand.New(rand.NewPCG(*seed, uint64(number))), job{number: number}, cases}
	d.vertices, d.edges = -1, -1
	d.kernel, d.engine = d.of("bfs", "bfs", "sssp", "both"), d.of("cpu", "cpu", "topdown", "auto")
	weighted := d.kernel != "bfs"
	d.ranks, d.tasks = d.between(1, 7), d.IntN(4) == 0 && *mpirun != ""
	switch d.IntN(4) {
	case 0:
		d.drawSynthetic(weighted)
	case 1:
		d.drawOfficial(weighted)
	default:
		d.drawCase(weighted)
	}
	d.add(100, "--kernel", d.kernel, "--engine", d.engine)
	if !d.tasks {
		d.add(100, "--ranks", d.ranks)
	}
	if weighted && !d.weights {
		d.want = max(d.want, mayFail)
	}
	if weighted {
		d.add(30, "--prune", "hub")
	} else if d.add(1, "--prune", "hub") {
		d.want = mustFail
	}
	d.drawKeys()
	minTime := d.add(8, "--min-time", time.Duration(d.between(1, 15))*time.Millisecond)
	if d.add(6, "--validate=false") {
		d.want = max(d.want, notChecked)
	}
	d.add(25, "--threads", d.between(1, 4))
	d.add(8, "--emulate-nodes", d.between(1, d.ranks))
	if d.engine == "cpu" {
		d.add(15, "--trace")
	}
	if d.json = d.add(20, "--json"); !d.json {
		d.add(15, "--names", "spec")
	}
	d.add(15, "--quiet")
	if dir := filepath.Join(folder, fmt.Sprintf("run-%d", number)); d.add(60, "--output", dir) {
		d.dir = dir
		d.add(25, "--trees")
		if d.want == mustBeValid && d.stdin == "" && !minTime && d.percent(20) {
			d.drawStop()
		}
	}
	return d.job
}

// drawKeys draws search keys or a file of roots.
func (d *draw) drawKeys() {
	switch {
	case d.roots != "" && d.add(70, "--roots", d.roots):
	case d.percent(12):
		d.drawRoots()
	case d.large:
		d.add(100, "--keys", d.between(8, 16))
	case d.add(60, "--keys", d.between(1, 12)):
	default:
		d.add(10, "--keys", d.between(65, 200))
	}
}

// drawRoots draws a file of roots. Some roots may have no edge; a few files are broken, or contain something else.
func (d *draw) drawRoots() {
	d.want = max(d.want, mayFail)
	if d.add(20, "--roots", d.cases[d.IntN(len(d.cases))].name) {
		return
	}
	text := ""
	for range d.between(1, 6) {
		text += fmt.Sprintln(d.between(0, 40))
	}
	if d.percent(20) {
		text += d.of("-1\n", "x\n", "\xff\x00\n", "1e3\n", "99999999999999999999\n", "7")
	}
	path := filepath.Join(folder, fmt.Sprintf("roots-%d.txt", d.number))
	must(0, os.WriteFile(path, []byte(text), 0o666))
	d.add(100, "--roots", path)
}

// drawStop draws a signal that ends the run, and enough search keys for a run that lasts until then.
func (d *draw) drawStop() {
	d.stop = syscall.SIGTERM
	if !d.tasks && d.percent(50) {
		d.stop = syscall.SIGKILL
	}
	d.stopAt = time.Duration(d.between(20, 800)) * time.Millisecond
	if !slices.Contains(d.args, "--roots") && !slices.Contains(d.args, "--keys") {
		d.add(100, "--keys", d.between(200, 600))
	}
}

// graph is the input of a job.
type graph struct {
	name            string // path of a case; jobs with the same name have the same graph, weights aside
	options         string // that the file of a case needs
	roots           string // file of roots that belongs to the graph, "" for none
	weights         bool   // shortest paths have weights
	large           bool   // each search takes long
	answer          ending // of breadth-first search on a case
	vertices, edges int64  // -1 if unknown
}

// readCases returns the rows of answers.csv and the weighted files without a row there, which are for shortest paths.
func readCases(folder string) []graph {
	all := []graph{
		{name: folder + "/sssp-hang-ring.gr", vertices: 67, edges: 67, weights: true, roots: folder + "/sssp-hang-root.txt"},
		{name: folder + "/sssp-hang-grid.gr.gz", vertices: -1, edges: -1, weights: true, large: true},
	}
	answers := must(os.ReadFile(folder + "/answers.csv"))
	for _, row := range must(csv.NewReader(bytes.NewReader(answers)).ReadAll())[1:] {
		g := graph{name: folder + "/" + row[0], vertices: -1, edges: -1}
		fmt.Sscan(row[2], &g.vertices) // an empty cell leaves -1
		fmt.Sscan(row[3], &g.edges)
		g.weights = row[2] != "" && strings.HasSuffix(row[0], ".gr") && !strings.Contains(row[0], "negative")
		if row[2] == "" { // no number of vertices
			g.answer = mustFail
		} else if g.edges == 0 {
			g.answer = mayFail
		}
		if row[1] != "" {
			g.options = "," + row[1]
		}
		all = append(all, g)
	}
	return all
}

// drawCase draws a graph file, seldom one that g500 reads from a pipe, or as another kind of file.
func (d *draw) drawCase(weighted bool) {
	g := d.cases[d.IntN(len(d.cases))]
	for again := weighted && d.percent(30); again && !g.weights; {
		g = d.cases[d.IntN(len(d.cases))]
	}
	if d.add(4, d.of("--edges", "--config", "--resume"), g.name) {
		d.graph, d.want = graph{name: g.name, vertices: -1, edges: -1}, mayFail
		return
	}
	d.graph, d.want = g, g.answer
	path, options := g.name, g.options
	if format := formats.FormatOf(filepath.Ext(path)); format != "" && d.percent(15) {
		d.stdin, path, options = path, "/dev/stdin", ",format="+format+options
	}
	d.addGraph("file:"+path, options, weighted && d.percent(60))
}

// drawSynthetic draws a graph of a generator.
func (d *draw) drawSynthetic(weighted bool) {
	a, b, c, scale := d.between(1, 40), d.between(2, 40), d.between(1, 8), d.between(1, 11)
	name := d.of(fmt.Sprintf("grid2d:%dx%d", a, b), fmt.Sprintf("grid2d:%dx%d", a, b),
		fmt.Sprintf("grid3d:%dx%dx%d", a, b, c), fmt.Sprintf("uniform:vertices=%d,degree=%d", a*b, c),
		fmt.Sprintf("geometric:vertices=%d,degree=%d", a*b*4, c+2), fmt.Sprintf("road:%dx%d,chain=%d", a+1, b, c-1),
		fmt.Sprintf("rmat:scale=%d,edgefactor=%d", scale, c), fmt.Sprintf("kron:scale=%d", scale))
	if strings.HasPrefix(name, "grid2d") {
		d.vertices, d.edges = int64(a*b), int64(a*(b-1)+b*(a-1))
	} else if strings.HasPrefix(name, "grid3d") {
		d.vertices, d.edges = int64(a*b*c), int64((a-1)*b*c+a*(b-1)*c+a*b*(c-1))
	}
	if a*b < 8 || strings.Contains(name, "scale=1") {
		d.want = mayFail // the graph may have no edge
	}
	d.addGraph(name, "", weighted && d.percent(85))
}

// addGraph adds the flag for a graph, with random weights if wanted, and draws an option that all graphs take.
func (d *draw) addGraph(name, options string, weights bool) {
	if weights && !d.weights {
		d.weights = true
		options += ",weights=uniform"
	}
	if d.percent(25) {
		option := d.of(",shuffle=true", ",shuffle=true", ",duplicates=keep", ",symmetric=no", ",loops=keep")
		options += option
		if option != ",shuffle=true" {
			d.edges = -1
		}
		if option == ",symmetric=no" {
			d.want = max(d.want, mayFail) // few vertices may have an arc to another, and pruning is refused
		}
	}
	d.add(100, "--graph", name+options)
	d.name += name + options
}

// drawOfficial draws a graph of the official generator. Some are read from a file that g500 writes first; few of these
// are read in the other format, as another graph.
func (d *draw) drawOfficial(weighted bool) {
	scale := d.between(1, 12)
	if scale < 4 {
		d.want = mayFail // the graph may have no edge
	}
	d.weights = true
	d.add(100, "--scale", scale, "--edgefactor", d.of("16", "16", "16", "1", "2", "5", "32"),
		"--seeds", d.of("2,3", "2,3", "2,3", "1,1", "18446744073709551615,0"))
	d.name = strings.Join(d.args, " ")
	if d.percent(70) {
		return
	}
	path, format := filepath.Join(folder, fmt.Sprintf("edges-%d", d.number)), d.of("packed", "u64")
	d.weights = weighted && d.percent(80)
	d.prepare = append([]string{"generate", "--output", path, "--format", format}, d.args...)
	if d.weights {
		d.prepare = append(d.prepare, "--weights")
	}
	if d.percent(15) {
		format, d.want = d.of("packed", "u64"), mayFail
		d.name += " " + path
	}
	d.add(100, "--edges", path+",format="+format)
}
