package main

import (
	"encoding/json"
	"strings"
	"testing"

	"g500/lab"
)

// Without a GPU cores colour, and the output says what was left out.
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

func TestLabColorRefusals(t *testing.T) {
	for want, args := range map[string]string{
		"name a graph":            "",
		"there is no kind":        "--graph pigeon:9",
		"there is no algorithm":   "--graph grid2d:4x4 --algorithm pigeon",
		"is no optimisation":      "--graph grid2d:4x4 --opt pigeon",
		"--runs 0: choose":        "--graph grid2d:4x4 --runs 0",
		"choose auto, gpu or cpu": "--graph grid2d:4x4 --engine pigeon",
		"exclude each other":      "--graph grid2d:4x4 --json --csv",
		"choose an undirected":    "--graph grid2d:4x4,directed=true --engine cpu",
	} {
		status, _, errOut := call(append([]string{"lab", "color"}, strings.Fields(args)...)...)
		if status == success || !strings.Contains(errOut, want) {
			t.Errorf("%v: status %d, %q", args, status, errOut)
		}
	}
}
