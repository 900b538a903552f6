//go:build mpi && cgo

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"g500/comm/commtest"
)

// processes waits until the ranks of a run are in their searches, and returns their processes.
func processes(t *testing.T, logs string, ranks int) (pids []int) {
	t.Helper()
	process := regexp.MustCompile(`process (\d+),`)
	for begun := time.Now(); len(pids) < ranks; time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatal("the run does not begin to search")
		}
		pids = pids[:0]
		files, _ := filepath.Glob(filepath.Join(logs, "*"))
		for _, file := range files {
			text, _ := os.ReadFile(file)
			if found := process.FindSubmatch(text); found != nil && bytes.Contains(text, []byte("search key ")) {
				pid, _ := strconv.Atoi(string(found[1]))
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// A rank that is stopped by SIGSTOP is named, rank 0 and others.
func TestMPINamesStoppedRank(t *testing.T) {
	for _, stopped := range []int{1, 0} {
		logs := t.TempDir()
		errOut := &until{word: "rank " + strconv.Itoa(stopped) + " (node ", has: make(chan struct{})}
		run := asG500(commtest.Mpirun(t.Context(), t, 3, os.Args[0], "run", "--scale", "14",
			"--keys", "16000", "--log-dir", logs))
		run.Stdout, run.Stderr = errOut, errOut
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		pids := processes(t, logs, 3)
		if err := syscall.Kill(pids[stopped], syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		select {
		case <-errOut.has:
		case <-time.After(2 * time.Minute):
			t.Errorf("rank %d is not named", stopped)
		}
		_ = syscall.Kill(pids[stopped], syscall.SIGCONT)
		_ = syscall.Kill(pids[0], syscall.SIGTERM)
		_ = run.Wait()
		text := errOut.text.String()
		for _, want := range []string{"process " + strconv.Itoa(pids[stopped]) + ") does not answer", "stopped by a signal"} {
			if !strings.Contains(text, want) {
				t.Errorf("rank %d is stopped, no %q in\n%.3000s", stopped, want, text)
			}
		}
	}
}
