package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// input is a graph, as the flags of "g500 run" name it.
type input struct {
	kind    string   // case, synthetic, official or edges
	name    string   // of the graph; jobs with the same name have the same one, weights aside
	args    []string // flags of "g500 run"
	prepare []string // arguments of g500 that write the input, nil if nothing needs to be written
	stdin   string   // file that the program reads as standard input, "" for none
	pipe    bool     // standard input is a pipe with that file
	weights bool     // shortest paths have weights
	roots   string   // file of roots that belongs to it, "" for none
	want    ending   // of breadth-first search
	large   bool     // searches take long enough that there must be few

	vertices, edges int64 // of the graph, -1 if unknown
}

// input draws a graph, with weights if weighted and if it can have them.
func (w drawer) input(d dice, weighted bool) input {
	switch n := d.IntN(100); {
	case n < 50:
		return w.caseInput(d, weighted)
	case n < 75:
		return synthetic(d, weighted)
	case n < 92:
		return official(d)
	}
	return w.edgeFile(d, weighted)
}

// caseInput draws a graph file, seldom one that is read from a pipe or named as another kind of file.
func (w drawer) caseInput(d dice, weighted bool) input {
	c := w.cases[d.IntN(len(w.cases))]
	if weighted && d.percent(30) {
		c = w.weightedCases()[d.IntN(len(w.weightedCases()))]
	}
	if d.percent(4) {
		flag := d.of("--edges", "--config", "--resume")
		return input{kind: "case", name: c.path, args: []string{flag, c.path}, want: mayFail, vertices: -1, edges: -1}
	}
	in := input{kind: "case", want: mayFail, vertices: c.vertices, edges: c.edges, weights: c.weighted, roots: c.roots,
		large: c.large}
	switch {
	case !c.read:
		in.want = mustFail
	case c.edges != 0:
		in.want = mustBeValid
	}
	spec := "file:" + c.path + c.options
	if format := plainFormat(c.path); format != "" && d.percent(15) {
		spec, in.stdin, in.pipe = "file:/dev/stdin,format="+format+c.options, c.path, true
	}
	if weighted && d.percent(60) && !c.weighted {
		in.weights = true
		spec += ",weights=uniform"
	}
	spec += shape(d, &in)
	in.name = c.path + strings.TrimPrefix(spec, "file:"+c.path)
	in.args = []string{"--graph", spec}
	return in
}

// weightedCases returns the files with weights for shortest paths.
func (w drawer) weightedCases() []caseFile {
	return slices.DeleteFunc(slices.Clone(w.cases), func(c caseFile) bool { return !c.weighted })
}

// plainFormat returns the format of a file without compression, by its name, "" if it is none of the known ones.
func plainFormat(path string) string {
	return map[string]string{".mtx": "mtx", ".gr": "gr", ".graph": "metis"}[filepath.Ext(path)]
}

// shape draws options that all graphs take.
func shape(d dice, in *input) string {
	switch {
	case d.percent(10):
		return ",shuffle=true"
	case d.percent(5):
		in.edges = -1
		return ",duplicates=keep"
	case d.percent(5):
		in.edges, in.want = -1, mustFail
		return ",directed=true"
	case d.percent(5):
		in.edges = -1
		return ",loops=keep"
	}
	return ""
}

// synthetic draws a graph that a generator makes.
func synthetic(d dice, weighted bool) input {
	in := input{kind: "synthetic", want: mustBeValid, vertices: -1, edges: -1}
	a, b, c := d.between(1, 40), d.between(2, 40), d.between(1, 8)
	var spec string
	switch d.IntN(8) {
	case 0, 1:
		spec = fmt.Sprintf("grid2d:%dx%d", a, b)
		in.vertices, in.edges = int64(a*b), int64(a*(b-1)+b*(a-1))
	case 2:
		spec = fmt.Sprintf("grid3d:%dx%dx%d", a, b, c)
		in.vertices, in.edges = int64(a*b*c), int64((a-1)*b*c+a*(b-1)*c+a*b*(c-1))
	case 3:
		spec = fmt.Sprintf("uniform:vertices=%d,degree=%d", a*b, c)
	case 4:
		spec = fmt.Sprintf("geometric:vertices=%d,degree=%d", a*b*4, c+2)
	case 5:
		spec = fmt.Sprintf("road:%dx%d,chain=%d", a+1, b, d.between(0, 3))
	case 6:
		spec = fmt.Sprintf("rmat:scale=%d,edgefactor=%d", d.between(1, 11), c)
	default:
		spec = fmt.Sprintf("kron:scale=%d", d.between(1, 11))
	}
	if a*b < 8 || strings.Contains(spec, "scale=1") {
		in.want = mayFail // a graph without an edge
	}
	if weighted && d.percent(85) {
		in.weights = true
		spec += ",weights=uniform"
	}
	spec += shape(d, &in)
	in.name, in.args = spec, []string{"--graph", spec}
	return in
}

// official draws a graph of the official generator.
func official(d dice) input {
	scale := d.between(1, 12)
	factor := d.of("16", "16", "16", "1", "2", "5", "32")
	seeds := d.of("2,3", "2,3", "2,3", "1,1", "18446744073709551615,0")
	in := input{kind: "official", weights: true, want: mustBeValid, vertices: -1, edges: -1}
	if scale < 4 {
		in.want = mayFail // a graph without an edge
	}
	in.name = fmt.Sprintf("official:%d,%s,%s", scale, factor, seeds)
	in.args = []string{"--scale", strconv.Itoa(scale), "--edgefactor", factor, "--seeds", seeds}
	return in
}

// edgeFile draws an official graph that is written into a file first, which may then be cut short or go on.
func (w drawer) edgeFile(d dice, weighted bool) input {
	in := official(d)
	path := filepath.Join(w.folder, fmt.Sprintf("edges-%d", d.Uint32()))
	format := d.of("packed", "u64")
	in.kind, in.weights = "edges", weighted && d.percent(80)
	in.prepare = append([]string{"generate", "--output", path, "--format", format}, in.args...)
	if in.weights {
		in.prepare = append(in.prepare, "--weights")
	}
	if d.percent(15) {
		format = d.of("packed", "u64")
		in.want = mayFail
	}
	in.name += " " + path // a wrong format is another graph
	in.args = append(in.args, "--edges", path, "--format", format)
	return in
}

// open returns the program's standard input, nil for none.
func (in input) open() (*os.File, error) {
	if in.stdin == "" {
		return nil, nil
	}
	return os.Open(in.stdin)
}
