package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readLogs reads the logs of a number of ranks, and checks that there are no more.
func readLogs(t *testing.T, dir string, ranks int) (logs []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != ranks {
		t.Fatalf("%d logs of %d ranks: %v", len(files), ranks, err)
	}
	for _, file := range files {
		text := read(t, file)
		logs = append(logs, text)
	}
	return logs
}

// The log of each rank has its node, its steps and its end, with times.
func TestLogOfEachRank(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	mustCall(t, "run", "--scale", "8", "--ranks", "3", "--keys", "2", "--log-dir", dir)
	stamped := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\S+ \S`)
	for r, log := range readLogs(t, dir, 3) {
		at := 0
		for _, want := range []string{
			"rank " + string(rune('0'+r)) + " of 3, on node ", "engine cpu", "begins: kernel 1\n", "kernel 1: ",
			"search key 1 (2/2): ", " VALID\n", " ended\n",
		} {
			i := strings.Index(log[at:], want)
			if i < 0 {
				t.Fatalf("the log of rank %d has no %q after its first %d bytes:\n%s", r, want, at, log)
			}
			at += i
		}
		for _, line := range strings.Split(strings.TrimSpace(log), "\n") {
			if !stamped.MatchString(line) {
				t.Errorf("rank %d: no time in the line %q", r, line)
			}
		}
	}
}

// Each rank's log has the reason for the end, and a second run is appended.
func TestLogsHaveFailures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	for range 2 {
		status, _, _ := call("run", "--scale", "8", "--ranks", "2", "--edges", "nowhere\x1b", "--log-dir", dir)
		if status != failure {
			t.Fatalf("status %d", status)
		}
	}
	for r, log := range readLogs(t, dir, 2) {
		if n := strings.Count(log, "ended: rank 0: graph: cannot read the edge list: nowhere?: no such file"); n != 2 {
			t.Errorf("the log of rank %d names the reason %d times, want 2:\n%s", r, n, log)
		}
	}
}

// Without --log-dir there are no logs; a run that cannot write its log does not begin.
func TestLogsAreOptional(t *testing.T) {
	t.Chdir(t.TempDir())
	mustCall(t, "run", "--scale", "4")
	readLogs(t, ".", 0)
	writeText(t, "file", "")
	status, out, errOut := call("run", "--scale", "4", "--ranks", "2", "--log-dir", "file")
	if status != failure || out != "" || strings.Count(errOut, "\n") != 1 ||
		!strings.Contains(errOut, "cannot make the folder of logs") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
}
