package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/record"
)

// A run on another graph names it in its block, in its notes and in run.json. It cannot be submitted; other commands
// read it.
func TestRunOnAnyGraph(t *testing.T) {
	for _, ranks := range []string{"1", "3"} {
		dir := filepath.Join(t.TempDir(), "out")
		status, out, errOut := call("run", "--graph", "road:30x20", "--ranks", ranks, "--output", dir)
		if status != success || lastLine(out) != "VALID" {
			t.Fatalf("status %d, last line %q\n%s", status, lastLine(out), errOut)
		}
		if !strings.HasPrefix(out, "no Graph500 result:             not the official graph\n"+
			"graph:                          road:30x20\nvertices:                       ") ||
			!strings.Contains(out, "this is no Graph500 result") || strings.Contains(out, "SCALE") ||
			strings.Contains(out, "edge factor") {
			t.Errorf("%s ranks:\n%s", ranks, out)
		}
		run, err := record.Read(dir)
		if err != nil || run.Config.Graph.Spec != "road:30x20" || run.Graph == nil || run.Graph.Spec != "road:30x20" ||
			run.Graph.Vertices < 600 || run.Graph.Edges < 600 {
			t.Errorf("run.json: %+v, %+v, %v", run.Config, run.Graph, err)
		}
		status, out, _ = call("submission", dir)
		if status != failure || !strings.Contains(out, "the graph is road:30x20 (graph.spec), not the official one") {
			t.Errorf("submission: status %d\n%s", status, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "submission")); err == nil {
			t.Error("a submission was written")
		}
		if status, _, errOut := call("report", dir); status != success {
			t.Errorf("report: %s", errOut)
		}
		if status, _, errOut := call("run", "--resume", dir); status == success || !strings.Contains(errOut, "has ended") {
			t.Errorf("resume: status %d: %s", status, errOut)
		}
	}
}

// A run on a directed graph says so in its block and in run.json. It cannot be submitted. Its stored results are valid
// on the directed graph, and not on the undirected one.
func TestRunOnADirectedGraph(t *testing.T) {
	const spec = "rmat:scale=8,weights=uniform,symmetric="
	dir := filepath.Join(t.TempDir(), "out")
	status, out, errOut := call("run", "--graph", spec+"no", "--kernel", "both", "--ranks", "3", "--trees", "--output",
		dir)
	const begin = "no Graph500 result:             directed graph, not the official one\n"
	if status != success || lastLine(out) != "VALID" || !strings.HasPrefix(out, begin) ||
		!strings.Contains(out, "\ndirected edges:                 ") ||
		!strings.Contains(out, "TEPS count the arcs that leave reached vertices") {
		t.Fatalf("status %d\n%s%s", status, out, errOut)
	}
	run, err := record.Read(dir)
	if err != nil || run.Graph == nil || !run.Graph.Directed {
		t.Fatalf("%+v, %v", run.Graph, err)
	}
	status, out, _ = call("submission", dir)
	if status != failure || !strings.Contains(out, spec+"no (graph.spec), not the official one") {
		t.Errorf("submission: status %d\n%s", status, out)
	}
	mustCall(t, "report", dir)
	root := fmt.Sprint(run.Kernels[0].Searches[0].Root)
	for kernel, tree := range map[string]string{"bfs": "0.i64", "sssp": "0.sssp.i64"} {
		args := []string{"validate", "--kernel", kernel, "--ranks", "2", "--root", root, "--tree",
			filepath.Join(dir, "trees", tree), "--graph"}
		if status, out, errOut := call(append(args, spec+"no")...); status != success {
			t.Errorf("%s: status %d\n%s%s", kernel, status, out, errOut)
		}
		if status, out, _ := call(append(args, spec+"yes")...); status == success {
			t.Errorf("%s: accepted as the tree of an undirected graph\n%s", kernel, out)
		}
	}
}

// A converted graph is searched like the original.
func TestRunOnAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grid.mtx.gz")
	mustCall(t, "graph", "convert", "grid2d:25x25", path)
	status, out, errOut := call("run", "--graph", "file:"+path, "--quiet")
	if status != success || !strings.Contains(out, "vertices:                       625\n") ||
		!strings.Contains(out, "max_nedge:                      1200\n") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
}

// Renumbered labels are kept next to the results and next to a converted graph.
func TestRenumberedLabelsAreKept(t *testing.T) {
	const spec = "file:../../graph/formats/testdata/cases/snap-bigid.txt,labels=renumber"
	const want = "15830\n2111364\n8278237827\n"
	dir := t.TempDir()
	_, _, errOut := call("run", "--graph", spec, "--ranks", "2", "--output", filepath.Join(dir, "run"))
	if !strings.Contains(errOut, "note: vertices are renumbered") {
		t.Errorf("no note:\n%s", errOut)
	}
	roots := filepath.Join(dir, "roots")
	if err := os.WriteFile(roots, []byte("3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, errOut := call("run", "--graph", spec, "--roots", roots); !strings.Contains(errOut, "go from 0 to 2") {
		t.Error(errOut)
	}
	mustCall(t, "graph", "convert", spec, filepath.Join(dir, "a.mtx"))
	for _, name := range []string{"run/labels.txt", "a.mtx.labels"} {
		if got := read(t, filepath.Join(dir, name)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Shortest paths with weights far above 1, as in road networks, end and are valid.
func TestRoadWeights(t *testing.T) {
	const cases = "--graph file:../../graph/formats/testdata/cases/sssp-hang-"
	const ring = cases + "ring.gr --roots ../../graph/formats/testdata/cases/sssp-hang-root.txt"
	const grid = cases + "grid.gr.gz --keys 1"
	for _, c := range []string{
		ring + " --engine cpu --ranks 1 --prune none", ring + " --engine cpu --ranks 3 --prune hub",
		ring + " --engine topdown --ranks 2 --prune none", ring + " --engine topdown --ranks 4 --prune hub",
		grid + " --engine cpu --ranks 3 --prune hub", grid + " --engine topdown --ranks 2 --prune none",
	} {
		status, out, errOut := call(append([]string{"run", "--kernel", "sssp", "--quiet"}, strings.Fields(c)...)...)
		if status != success || lastLine(out) != "VALID" {
			t.Errorf("%s: status %d\n%s%s", c, status, out, errOut)
		}
	}
}
