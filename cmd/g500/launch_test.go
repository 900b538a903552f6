// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"g500/bench"
	"g500/cmd/cli"
	"g500/comm"
	"g500/comm/agreement"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/expect"
	"g500/internal/machine"
	"g500/record"
	"g500/settings"
	"g500/settings/settingstest"
)

// GOMAXPROCS sets the threads of a process, unless --threads does. OMP_NUM_THREADS sets none, and is noted.
func TestThreadsByTheEnvironment(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	t.Cleanup(func() { runtime.GOMAXPROCS(procs) })
	few, omp := "", "has no effect, each rank has 1 threads: --threads sets them"
	if machine.BoundCores() > 1 {
		few = "GOMAXPROCS=1 in the environment limits each process to 1 of "
	}
	for _, c := range []struct {
		procs, omp, flags string
		threads, procsNow int
		note              string // "" for none
	}{
		{"1", "", "", 1, procs, few},
		{"7", "", "", 7, procs, ""},
		{"7", "", "--ranks 2", 3, procs, ""},
		{"1", "3", "--threads 3", 3, 3, ""},
		{"1", "3", "--threads 2 --ranks 2", 2, 4, ""},
		{"9", "9", "", 9, 4, ""},
		{"", "1", "--threads 2", 2, 4, ""},
		{"9", "3", "--ranks 9", 1, 4, omp},
	} {
		t.Setenv("GOMAXPROCS", c.procs)
		t.Setenv("OMP_NUM_THREADS", c.omp)
		dir := t.TempDir() + "/out"
		mustCall(t, append([]string{"run", "--scale", "6", "--keys", "2", "--output", dir}, strings.Fields(c.flags)...)...)
		run := expect.Value(record.Read(dir))(t)
		notes := strings.Join(run.Notes, "; ")
		has := strings.Contains(notes, "in the environment")
		expect.That(t, run.Environment.Threads == c.threads && has == (c.note != "") && strings.Contains(notes, c.note),
			"%+v: %d threads, notes %q", c, run.Environment.Threads, notes)
		expect.Equal(t, runtime.GOMAXPROCS(0), c.procsNow, c, "GOMAXPROCS is")
	}
}

// Emulated nodes have consecutive ranks, whose numbers differ by one at most.
func TestEmulatedNodes(t *testing.T) {
	for _, c := range []struct {
		n    int
		want []int
	}{{2, []int{0, 0, 0, 1, 1}}, {3, []int{0, 0, 1, 2}}, {1, []int{0, 0}}, {3, []int{0, 1, 2}}, {3, nil}} {
		expect.NoError(t, comm.Loopback(max(len(c.want), 2), func(host comm.Transport) error {
			got, err := emulateNodes(host, c.n)
			if refused := c.want == nil; refused != (err != nil) || !refused && !slices.Equal(got.Nodes(), c.want) {
				return fmt.Errorf("%d ranks on %d nodes: %v, %w", host.Size(), c.n, got.Nodes(), err)
			}
			return nil
		}))
	}
}

// differ returns the error of two ranks with these declarations.
func differ(t *testing.T, first, second agreement.Declaration) error {
	t.Helper()
	errs := make([]error, 2)
	expect.NoError(t, comm.Loopback(2, func(tr comm.Transport) error {
		errs[tr.Rank()] = agreement.Check(tr, [2]agreement.Declaration{first, second}[tr.Rank()])
		return nil
	}))
	return errs[1]
}

// Every setting of a configuration is compared, except the ones that may differ between ranks.
func TestEachSettingIsCompared(t *testing.T) {
	first := (&job{cfg: settings.Default()}).declare()
	expect.NoError(t, differ(t, first, first))
	for _, s := range settings.Table {
		err := differ(t, first, (&job{cfg: settingstest.Changed(t, s, settings.Default())}).declare())
		expect.That(t, (!s.PerRank || err == nil) && (s.PerRank || err != nil && strings.Contains(err.Error(), s.Key+" is ")),
			"%s: %v", s.Key, err)
	}
}

// Different versions of the program are refused, and different states of the run to resume.
func TestProgramsAndRunsToResumeAreCompared(t *testing.T) {
	cfg := settings.Default()
	at := func(searches int) agreement.Declaration {
		return (&job{cfg: cfg, earlier: &record.Run{
			Kernels: []record.KernelRun{{Searches: make([]record.Search, searches)}},
		}}).declare()
	}
	expect.Error(t, differ(t, at(3), at(2)), "one with 2 searches")
	old := at(3)
	expect.Set(t, &cli.Version, "0.1")
	expect.Error(t, differ(t, old, at(3)), "install the same program")
}

// until is a writer that closes has when its text has a word.
type until struct {
	mu   sync.Mutex
	text bytes.Buffer
	word string
	has  chan struct{}
}

func (u *until) Write(p []byte) (int, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	had := strings.Contains(u.text.String(), u.word)
	u.text.Write(p)
	if !had && strings.Contains(u.text.String(), u.word) {
		close(u.has)
	}
	return len(p), nil
}

// soon is a short time before the watchdog compares ranks.
const soon = 50 * time.Millisecond

// One of three ranks hangs in kernel 1. It is named, and the run continues when the rank does.
func TestRankThatHangsIsNamed(t *testing.T) {
	expect.Set(t, &quiet, soon)
	for hanging := range 3 {
		errOut := &until{word: "no progress for", has: make(chan struct{})}
		expect.Set(t, &engines, []engineChoice{{settings.CPU, onCPU(func(threads int) bench.Backend {
			backend := cpuBackend(threads)
			kernel1 := backend.Kernel1
			backend.Kernel1 = func(tr comm.Transport, tuples graph.Tuples) (engine.Engine, error) {
				if tr.Rank() == hanging {
					<-errOut.has
				}
				return kernel1(tr, tuples)
			}
			return backend
		})}})
		args := strings.Fields("run --engine cpu --scale 6 --keys 2 --ranks 3 --threads 1")
		status := thisProgram().Run(args, new(bytes.Buffer), errOut)
		text := errOut.text.String()
		named := strings.Contains(text, fmt.Sprintf("in kernel 1: rank %d (node ", hanging))
		expect.That(t, status == success && named && strings.Contains(text, "is still in kernel 1"),
			"rank %d: status %d\n%s", hanging, status, text)
	}
}

// A rank of another command that works longer than others is not named.
func TestWorkingRankOfACommandIsNotNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var errOut bytes.Buffer
		start := launch(func(rank func(comm.Transport) error) error { return comm.Loopback(2, rank) })
		expect.NoError(t, start.watched(&errOut, "validation", func(tr comm.Transport) error {
			for i := range int64(20 * tr.Rank()) {
				time.Sleep(quiet / 2)
				comm.Advance(tr, i, 20)
			}
			return tr.Barrier()
		}))
		expect.Equal(t, errOut.String(), "", "notes")
	})
}

// A rank of another command that hangs is named, too.
func TestHangingRankOfACommandIsNamed(t *testing.T) {
	expect.Set(t, &quiet, soon)
	errOut := &until{word: "note: rank 0: no progress for", has: make(chan struct{})}
	start := launch(func(rank func(comm.Transport) error) error { return comm.Loopback(3, rank) })
	err := start.watched(errOut, "validation", func(tr comm.Transport) error {
		if tr.Rank() == 2 {
			<-errOut.has
		}
		return tr.Barrier()
	})
	text := errOut.text.String()
	expect.That(t, err == nil && strings.Contains(text, ") is still in validation"), "%v\n%s", err, text)
}
