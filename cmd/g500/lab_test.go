package main

import (
	"encoding/json"
	"strings"
	"testing"

	"g500/lab"
)

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
