// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/internal/expect"
	"g500/settings"
)

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

// impatient shortens the time before the watchdog compares ranks.
func impatient(t *testing.T) {
	before := quiet
	quiet = 50 * time.Millisecond
	t.Cleanup(func() { quiet = before })
}

// One of three ranks hangs in kernel 1. It is named, and the run continues when the rank does.
func TestRankThatHangsIsNamed(t *testing.T) {
	impatient(t)
	for hanging := range 3 {
		errOut := &until{word: "no progress for", has: make(chan struct{})}
		cfg := settings.Default()
		cfg.Graph.Scale, cfg.Search.Keys = 6, 2
		j := &job{cfg: cfg, transport: comm.TransportOf(false), out: new(bytes.Buffer), errOut: errOut}
		var end func()
		j.stop, end = newStop(j.stopLate)
		t.Cleanup(end)
		err := comm.Loopback(3, func(tr comm.Transport) error {
			tr = comm.Counted(tr, &j.ranks.Self(tr.Rank()).Collectives)
			backend := cpuBackend(1)
			kernel1 := backend.Kernel1
			backend.Kernel1 = func(tr comm.Transport, tuples graph.Tuples) (bfs.Engine, error) {
				if tr.Rank() == hanging {
					<-errOut.has
				}
				return kernel1(tr, tuples)
			}
			log, err := openRankLog("", tr)
			if err != nil {
				return err
			}
			unguard, err := j.guard(tr, log)
			if err != nil {
				return err
			}
			defer unguard()
			run, err := j.run(tr, log, backend, 1, nil)
			return j.publish(tr, log, run, err)
		})
		text := errOut.text.String()
		named := strings.Contains(text, "in kernel 1: rank "+string(rune('0'+hanging))+" (node ")
		if err != nil || !j.valid.Load() || !named || !strings.Contains(text, "is still in kernel 1") {
			t.Errorf("rank %d: %v\n%s", hanging, err, text)
		}
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
	impatient(t)
	errOut := &until{word: "note: rank 0: no progress for", has: make(chan struct{})}
	start := launch(func(rank func(comm.Transport) error) error { return comm.Loopback(3, rank) })
	err := start.watched(errOut, "validation", func(tr comm.Transport) error {
		if tr.Rank() == 2 {
			<-errOut.has
		}
		return tr.Barrier()
	})
	if text := errOut.text.String(); err != nil || !strings.Contains(text, ") is still in validation") {
		t.Errorf("%v\n%s", err, text)
	}
}
