// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"g500/internal/expect"
	"g500/results"
)

// notHere are words of examples that need GPUs, traces of runs on several nodes, or a machine without other load.
var notHere = []string{"gpu1", "--engine gpu", "--min-gpus", "--links", "net --check"}

// smaller makes the graphs of examples smaller. Their launchers are left out.
var smaller = strings.NewReplacer("-s 20", "-s 10", "-s 22", "-s 10", "--scale 18", "--scale 10", "1000x1000", "9x9",
	"=1000000", "=1000", "scale=16", "scale=8")

// The examples in the help of all commands succeed, in a folder with the files that they name.
func TestExamplesRun(t *testing.T) {
	traced := results.Unpack(t, "../../results", "h200x2/2026-11-26-4c3e53d")
	t.Chdir(t.TempDir())
	filesOfExamples(t, traced)
	for _, command := range slices.Sorted(maps.Keys(examples)) {
		for line := range strings.SplitSeq(examples[command], "\n") {
			in := func(words string) bool { return strings.Contains(line, words) }
			if !strings.HasPrefix(line, "#") && !slices.ContainsFunc(notHere, in) {
				runExample(t, smaller.Replace(line))
			}
		}
	}
}

// runExample runs a command line of g500, which must succeed.
func runExample(t *testing.T, line string) {
	t.Helper()
	_, rest, _ := strings.Cut(line, "g500 ")
	args := strings.Fields(rest)
	if args[0] == "scale" { // it starts this program again
		if out, err := exec.Command("g500", args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	} else if status, _, errOut := call(args...); status != success {
		t.Errorf("%s: status %d\n%s", line, status, errOut)
	}
}

// filesOfExamples makes the files that examples read. traced has traced runs of GPUs.
func filesOfExamples(t *testing.T, traced string) {
	t.Helper()
	expect.Write(t, "zero", "0\n")
	expect.Write(t, "results.csv", "root,tree,seconds\n458,runs/ten/trees/0.i64,1e-6\n")
	study := "scaling = \"strong\"\nscales = [6]\nranks = [1, 2]\nflags = [\"--keys\", \"4\"]\n"
	expect.Write(t, "study.toml", study)
	expect.NoError(t, os.MkdirAll("configs/studies", 0o777))
	expect.Write(t, "configs/studies/laptop.toml", study)
	for _, line := range []string{
		"graph convert grid2d:9x9 graph.mtx.gz", "graph convert grid2d:9x9 graph.mtx", "graph convert grid2d:9x9 graph.txt",
		"graph convert road:9x9 road.mtx.gz", "graph convert road:9x9 road.mtx",
		"run --graph file:road.mtx --roots zero --trees --output road", "run --scale 8 --output runs/before",
		"run --scale 10 --kernel both --trees --output runs/ten", "run --scale 8 --kernel sssp --output runs/unpruned",
		"run --scale 8 --kernel sssp --prune hub --output runs/pruned",
	} {
		runExample(t, "g500 "+line)
	}
	expect.NoError(t, errors.Join(os.CopyFS("runs/traced", os.DirFS(traced)),
		os.CopyFS("runs/after", os.DirFS("runs/before")), os.Rename("road/trees/0.i64", "road.i64"),
		exec.Command("tar", "-czf", "first.tar.gz", "runs/before").Run()))
}
