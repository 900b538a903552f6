package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"g500/lab"
)

func TestLabPages(t *testing.T) {
	file := filepath.Join(t.TempDir(), "updates")
	writeText(t, file, "+ 0 8\n+ 0 1\n? 0 8\n\n- 0 8\n? 0 8\n")
	args := []string{"lab", "pages", "--graph", "grid2d:3x3", "--updates"}
	status, out, errOut := call(append(args, file)...)
	for _, want := range []string{"batch 1: 6 updates in ", "2 edges inserted", "2 queries found, 0 not",
		"batch 2: 4 updates in ", "0 edges inserted, 2 deleted", "0 queries found, 2 not", "it needs a GPU"} {
		if status != success || !strings.Contains(out, want) {
			t.Errorf("status %d, no %q in\n%s%s", status, want, out, errOut)
		}
	}
	args = append(args, "random:batches=3,size=40,deletions=0", "--page-bytes", "8")
	if status, out, _ := call(args...); status != success || strings.Count(out, "\n") != 6 {
		t.Errorf("status %d\n%s", status, out)
	}
	status, _, errOut = call(append(args, "--spare-pages", "2")...)
	if status == success || !strings.Contains(errOut, "batch 1: out of pages") {
		t.Errorf("status %d, %s", status, errOut)
	}
}

// A graph with duplicate edges is refused; updates of a directed graph are made in one direction.
func TestLabPagesOfOtherGraphs(t *testing.T) {
	args := strings.Fields("lab pages --updates random:batches=1,size=9 --engine cpu --quiet --graph")
	status, _, errOut := call(append(args, "kron:scale=6,duplicates=keep")...)
	if status == success || !strings.Contains(errOut, "choose duplicates=drop") {
		t.Errorf("status %d, %s", status, errOut)
	}
	status, out, errOut := call(append(args, "kron:scale=6,symmetric=no", "--json")...)
	if status != success || !strings.Contains(out, `"updates": 9`) ||
		!strings.Contains(out, `"edges_inserted": `) {
		t.Errorf("status %d, %s%s", status, out, errOut)
	}
}

// docs/LAB.md has the output of lab bfs and lab pages on a CPU.
func TestLabDocument(t *testing.T) {
	blanks := regexp.MustCompile(` +`)
	mask := func(s string) string {
		s = figure.ReplaceAllString(s, "#")
		return blanks.ReplaceAllString(strings.NewReplacer("# M", "#", "# k", "#", "# G", "#").Replace(s), " ")
	}
	for _, command := range []string{
		"lab bfs --graph kron:scale=12,duplicates=keep --strategy cpu*,cpu-topdown:count=kept --sources 8 --threads 1 " +
			"--engine cpu",
		"lab pages --graph kron:scale=12,duplicates=drop --updates random:batches=2,size=1000 --engine cpu",
	} {
		out := mustCall(t, strings.Fields(command)...)
		keep(t, "../../docs/LAB.md", "<!-- sample: g500 "+command+" -->\n", "<!-- /sample -->", "```\n"+out+"```\n", mask)
	}
}

// Without a GPU only cores colour, and the output names the algorithms that were left out.
func TestLabColor(t *testing.T) {
	args := strings.Fields("lab color --engine cpu --graph kron:scale=8,grid2d:9x5 --runs 3 --threads 2")
	status, out, errOut := call(append(args, "--json")...)
	var r lab.Report
	if err := json.Unmarshal([]byte(out), &r); status != success || err != nil {
		t.Fatalf("status %d, %v\n%s", status, err, errOut)
	}
	if len(r.Graphs) != 2 || r.Wrong() {
		t.Fatalf("%+v", r)
	}
	for _, g := range r.Graphs {
		if len(g.Rows) != 4 || len(g.Rows[0].Coloring.Runs) != 3 {
			t.Errorf("%+v", g.Rows)
		}
	}
	for format, want := range map[string]string{"--quiet": "left out, since it needs a GPU",
		"--csv": "\"left out: it needs a GPU"} {
		if status, out, _ := call(append(args, format)...); status != success || !strings.Contains(out, want) {
			t.Errorf("status %d, no %q in\n%s", status, want, out)
		}
	}
}

// Without a GPU only the CPU engines search, and the output names the strategies that were left out.
func TestLabBFS(t *testing.T) {
	args := strings.Fields("lab bfs --engine cpu --graph kron:scale=8,grid2d:9x5 --sources 5 --threads 1")
	status, out, errOut := call(append(args, "--json")...)
	var r lab.Report
	if err := json.Unmarshal([]byte(out), &r); status != success || err != nil {
		t.Fatalf("status %d, %v\n%s", status, err, errOut)
	}
	if len(r.Graphs) != 2 || len(r.Graphs[0].Sources) != 5 || r.Graphs[1].Edges != 2*(8*5+9*4) {
		t.Errorf("%+v", r)
	}
	for _, g := range r.Graphs {
		if len(g.Rows) != 2 || len(g.Rows)+len(g.LeftOut) != len(lab.Table()) {
			t.Errorf("%d rows, %d left out", len(g.Rows), len(g.LeftOut))
		}
	}
	status, out, errOut = call(args...)
	for _, want := range []string{"cpu", "left out, since it needs a GPU"} {
		if status != success || !strings.Contains(out, want) {
			t.Errorf("status %d, no %q in\n%s%s", status, want, out, errOut)
		}
	}
}

func TestLabLists(t *testing.T) {
	status, out, _ := call("lab", "bfs", "--list")
	if lines := strings.Count(out, "\n"); status != success || lines != 2*len(lab.Table()) {
		t.Errorf("status %d, %d lines", status, lines)
	}
	file := filepath.Join(t.TempDir(), "own.toml")
	writeText(t, file, "mine = { like = \"merrill-hybrid\", cull = \"none\" }\n")
	if out := mustCall(t, "lab", "bfs", "--list", "--strategies", file); !strings.Contains(out, "\nmine ") {
		t.Errorf("no mine in\n%s", out)
	}
}
