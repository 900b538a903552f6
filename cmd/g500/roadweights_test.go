package main

import (
	"fmt"
	"testing"
)

// Shortest paths along edges with weights far above 1, as road networks have, end and are right.
func TestRoadWeights(t *testing.T) {
	const cases = "../../graph/formats/testdata/cases/"
	for _, graph := range [][]string{
		{"--graph", "file:" + cases + "sssp-hang-ring.gr", "--roots", cases + "sssp-hang-root.txt"},
		{"--graph", "file:" + cases + "sssp-hang-grid.gr.gz", "--keys", "1"},
	} {
		for _, engine := range []string{"hybrid", "topdown"} {
			for ranks := 1; ranks <= 4; ranks++ {
				for _, prune := range []string{"none", "hub"} {
					args := append([]string{"run", "--kernel", "sssp", "--engine", engine, "--ranks", fmt.Sprint(ranks),
						"--prune", prune, "--quiet"}, graph...)
					if status, out, errOut := call(args...); status != success || lastLine(out) != "VALID" {
						t.Errorf("%v: status %d\n%s%s", args, status, out, errOut)
					}
				}
			}
		}
	}
}
