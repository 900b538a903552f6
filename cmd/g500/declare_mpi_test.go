//go:build mpi && cgo

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"g500/comm/commtest"
)

// Ranks that are started differently all end with exit status 2 and one error, before any of them can wait forever.
// TestEachSettingIsCompared has all settings; these are a sample.
func TestMPIRanksThatDifferEnd(t *testing.T) {
	dir := t.TempDir()
	lists := map[string]string{}
	for name, seeds := range map[string]string{"official": "2,3", "other": "4,5"} {
		lists[name] = filepath.Join(dir, name)
		mustCall(t, "generate", "--scale", "6", "--seeds", seeds, "--output", lists[name])
	}
	run := []string{"run", "--scale", "6"}
	with := func(flags ...string) []string { return append(slices.Clone(run), flags...) }
	for _, c := range []struct {
		first, second []string
		want          string
	}{
		{run, with("--kernel", "sssp"), "search.kernel is bfs on rank 0 and sssp on rank 1"},
		{with("--output", dir+"/a"), with("--output", dir+"/b", "--trees"), "output.trees"},
		{run, with("--min-time", "1s"), "search.min_time is 0s on rank 0 and 1s on rank 1"},
		{run, with("--roots", write(t, []byte("1\n"))), "search.roots is not set on rank 0"},
		{run, with("--emulate-nodes", "2"), "machine.emulate_nodes"},
		{with("--edges", lists["official"]), with("--edges", lists["other"]), "graph.edges"},
		{run, []string{"net"}, "the command is run on rank 0 and net on rank 1"},
		{run, []string{"run", "--help"}, "the command is run on rank 0 and one that ended before it started MPI"},
		{with("--no-such-flag"), run, "the command is one that ended before it started MPI"},
		{[]string{"validate", "--scale", "6", "--edges", lists["official"], "--tree", "x", "--root", "1"},
			[]string{"validate", "--scale", "6", "--edges", lists["official"], "--tree", "x", "--root", "2"}, "--root is 1"},
	} {
		differs(t, strings.Join(c.second, " "), asProgram(c.first), asProgram(c.second), c.want)
	}
	old := append([]string{"env", "G500_TEST_VERSION=0.1"}, asProgram(run)...)
	differs(t, "an old program", asProgram(run), old, "install the same program on all nodes")
}

// Tasks that all end early end as by hand. A script in a task may start g500 several times. A command without ranks
// may run in one task.
func TestMPITasksThatEndEarly(t *testing.T) {
	g500 := "'" + os.Args[0] + "' "
	for command, want := range map[string]string{
		g500 + "version": "transports: ",
		`[ "$OMPI_COMM_WORLD_RANK$PMI_RANK" = 1 ] || exec ` + g500 + "schema run-3":            "$schema",
		g500 + "version > /dev/null; " + g500 + "run --engine cpu --scale 6 --keys 2; exit $?": "VALID",
	} {
		out, err := asG500(commtest.Mpirun(t.Context(), t, 2, "sh", "-c", command)).CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) || strings.Contains(string(out), "run no g500") {
			t.Errorf("%s: %v, no %q in\n%s", command, err, want, out)
		}
	}
}

// asProgram returns the command line that starts this test as g500.
func asProgram(args []string) []string { return append([]string{os.Args[0]}, args...) }

// differs starts one rank per command line; both must end with exit status 2, and print the error once.
func differs(t *testing.T, meaning string, first, second []string, want string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	job := asG500(commtest.Mpirun(ctx, t, 1, slices.Concat(first, []string{":", "-n", "1"}, second)...))
	out, err := job.CombinedOutput()
	var ended *exec.ExitError
	if !errors.As(err, &ended) || ended.ExitCode() != misuse || strings.Count(string(out), want) != 1 {
		t.Errorf("%s: %v, and no %q in\n%s", meaning, err, want, out)
	}
}
