package main

import (
	"encoding/json"
	"strings"
	"testing"

	"g500/lab"
)

// Without a GPU the engines for CPUs search, and the output says what was left out.
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
	for _, want := range []string{"cpu-hybrid", "left out, since it needs a GPU"} {
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
}

func TestLabRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		"name a graph":              {},
		"there is no kind":          {"--graph", "pigeon:9"},
		"there is no strategy":      {"--graph", "grid2d:4x4", "--strategy", "pigeon"},
		"choose 1 or more":          {"--graph", "grid2d:4x4", "--sources", "0"},
		"choose distance or parent": {"--graph", "grid2d:4x4", "--result", "colour"},
		"choose auto, gpu or cpu":   {"--graph", "grid2d:4x4", "--engine", "topdown"},
		"exclude each other":        {"--graph", "grid2d:4x4", "--json", "--csv"},
	} {
		status, _, errOut := call(append([]string{"lab", "bfs"}, args...)...)
		if status != misuse || !strings.Contains(errOut, want) {
			t.Errorf("%v: status %d, %q", args, status, errOut)
		}
	}
	if status, _, errOut := call("lab", "pigeon"); status != misuse || !strings.Contains(errOut, "there is no command") {
		t.Errorf("status %d, %q", status, errOut)
	}
}
