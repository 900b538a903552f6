package main

import (
	"strings"
	"testing"
)

// Shortest paths along edges with weights far above 1, as road networks have, end and are right.
func TestRoadWeights(t *testing.T) {
	const cases = "../../graph/formats/testdata/cases/"
	for _, graph := range [][]string{
		{"--graph", "file:" + cases + "sssp-hang-ring.gr", "--roots", cases + "sssp-hang-root.txt"},
		{"--graph", "file:" + cases + "sssp-hang-grid.gr.gz", "--keys", "1"},
	} {
		for _, c := range []string{"hybrid 1 none", "hybrid 3 hub", "topdown 2 none", "topdown 4 hub"} {
			of := strings.Fields(c)
			args := append([]string{"run", "--kernel", "sssp", "--quiet", "--engine", of[0], "--ranks", of[1], "--prune", of[2]},
				graph...)
			if status, out, errOut := call(args...); status != success || lastLine(out) != "VALID" {
				t.Errorf("%v: status %d\n%s%s", args, status, out, errOut)
			}
		}
	}
}
