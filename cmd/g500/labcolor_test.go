package main

import (
	"encoding/json"
	"strings"
	"testing"

	"g500/lab"
)

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
