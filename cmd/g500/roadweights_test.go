package main

import (
	"strings"
	"testing"
)

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
