//go:build mpi && cgo

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"g500/bench"
	"g500/bfs"
	"g500/comm"
	"g500/comm/commtest"
	"g500/graph"
	"g500/internal/machine"
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

// A rank that is killed or stopped ends the run on all ranks, with one sentence that names it.
func TestMPIEndsWithoutARank(t *testing.T) {
	for _, c := range []struct {
		signal syscall.Signal
		rank   int
		want   string
	}{
		{syscall.SIGSTOP, 1, "does not answer: it is stopped"},
		{syscall.SIGSTOP, 0, "does not answer: it is stopped"},
		{syscall.SIGKILL, 2, "has ended: it was killed"},
		{syscall.SIGKILL, 0, "has ended: it was killed"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		run, pids, errOut := searching(ctx, t, "500ms")
		_ = syscall.Kill(pids[c.rank], c.signal)
		if err := run.Wait(); err == nil || ctx.Err() != nil {
			t.Errorf("%v of rank %d: the run ends with %v, %v", c.signal, c.rank, err, ctx.Err())
		}
		cancel()
		text := errOut.text.String()
		want := fmt.Sprintf("g500: rank %d (node %s, process %d) %s", c.rank, machine.Node(), pids[c.rank], c.want)
		killedByHydra := c.signal == syscall.SIGKILL && strings.Contains(text, "BAD TERMINATION") // at once, and names it
		if !killedByHydra && (!strings.Contains(text, want) || strings.Count(text, "g500: ") != 1) {
			t.Errorf("%v of rank %d: no %q, or other sentences, in\n%.3000s", c.signal, c.rank, want, text)
		}
		for _, pid := range pids {
			for begun := time.Now(); isAlive(pid); time.Sleep(10 * time.Millisecond) {
				if time.Since(begun) > 10*time.Second {
					t.Fatalf("%v of rank %d: process %d has not ended", c.signal, c.rank, pid)
				}
			}
		}
	}
}

// isAlive reports whether a process exists and is no zombie.
func isAlive(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(text), ") Z ")
}

// searching starts a run on three ranks, and returns their processes when they search.
func searching(ctx context.Context, t *testing.T, quiet string, flags ...string) (*exec.Cmd, []int, *until) {
	t.Helper()
	logs, errOut := t.TempDir(), &until{word: "rank 1 (node ", has: make(chan struct{})}
	run := commtest.Mpirun(ctx, t, 3, append([]string{"g500", "run", "--scale", "14", "--keys", "16000",
		"--log-dir", logs}, flags...)...)
	run.Env = append(run.Env, "G500_TEST_QUIET="+quiet)
	run.Stdout, run.Stderr = errOut, errOut
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	return run, processes(t, logs, 3), errOut
}

// With --wait-for-silent a stopped rank is only named, and the run continues with it.
func TestMPIWaitsForStoppedRank(t *testing.T) {
	run, pids, errOut := searching(t.Context(), t, "500ms", "--wait-for-silent")
	_ = syscall.Kill(pids[1], syscall.SIGSTOP)
	select {
	case <-errOut.has:
	case <-time.After(time.Minute):
		t.Error("the stopped rank is not named")
	}
	_ = syscall.Kill(pids[1], syscall.SIGCONT)
	_ = syscall.Kill(pids[0], syscall.SIGTERM)
	_ = run.Wait()
	text := errOut.text.String()
	for _, want := range []string{"note: no progress", ") does not answer", "stopped by a signal"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%.3000s", want, text)
		}
	}
}

// Ranks that the batch system stops together and then continues, one after the other, continue the run.
func TestMPIRanksStoppedTogether(t *testing.T) {
	run, pids, errOut := searching(t.Context(), t, "2s")
	for _, rank := range []int{2, 1, 0} { // rank 0 last, when it waits for the others
		_ = syscall.Kill(pids[rank], syscall.SIGSTOP)
		time.Sleep(200 * time.Millisecond)
	}
	time.Sleep(2300 * time.Millisecond)
	_ = syscall.Kill(pids[0], syscall.SIGCONT)
	time.Sleep(3 * time.Second)
	for _, pid := range pids[1:] {
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
	time.Sleep(time.Second)
	_ = syscall.Kill(pids[0], syscall.SIGTERM)
	_ = run.Wait()
	text := errOut.text.String()
	if strings.Contains(text, "g500: rank") || !strings.Contains(text, "stopped by a signal") {
		t.Errorf("all ranks were stopped, and the run ends with\n%.3000s", text)
	}
}

// failing is an engine whose searches fail on all ranks at once, without agreement, and whose memory is never free, as
// after a failed exchange between GPUs.
type failing struct{ bfs.Engine }

func (failing) Search(graph.Global) (bfs.Tree, error) { return nil, commtest.ErrPlanted }
func (failing) Close() error                          { select {} }

func init() {
	if os.Getenv("G500_TEST_FAILING") == "" {
		return
	}
	engines = []engine{{cpuEngine, onCPU(func(threads int) bench.Backend {
		backend := cpuBackend(threads)
		kernel1 := backend.Kernel1
		backend.Kernel1 = func(t comm.Transport, given graph.Tuples) (bfs.Engine, error) {
			e, err := kernel1(t, given)
			return failing{e}, err
		}
		return backend
	})}}
}

// Ranks that fail at the same time and cannot free their memory end the run with one sentence.
func TestMPIRanksThatFailTogether(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run := commtest.Mpirun(ctx, t, 3, "g500", "run", "--scale", "6", "--engine", "cpu")
	run.Env = append(run.Env, "G500_TEST_FAILING=1")
	out, err := run.CombinedOutput()
	if text := string(out); err == nil || ctx.Err() != nil || strings.Count(text, "g500: ") != 1 ||
		!strings.Contains(text, "g500: rank ") || !strings.Contains(text, commtest.ErrPlanted.Error()) {
		t.Errorf("three ranks that fail end with %v, %v\n%s", err, ctx.Err(), text)
	}
}
