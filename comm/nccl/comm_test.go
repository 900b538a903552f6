// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package nccl

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"g500/internal/expect"
)

// fake compiles the library of testdata with additional flags.
func fake(t *testing.T, flags ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), usualFile)
	compiler := expect.Value(exec.Command("go", "env", "CC").Output())(t)
	words := append(strings.Fields(string(compiler)), "-shared", "-fPIC", "-Wall", "-o", file, "testdata/fake.c")
	words = append(append(words, flags...), "-lpthread")
	out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
	expect.Must(t, err == nil, "%v\n%s", err, out)
	return file
}

// found loads the fake library, which stores messages in a folder of the test.
func found(t *testing.T) *Library {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	l := expect.Value(open(fake(t)))(t)
	return l
}

// idle is a stream whose work is done at the third poll.
type idle struct{ polls int }

func (*idle) Enter() error           { return nil }
func (*idle) Stream() unsafe.Pointer { return nil }

func (s *idle) Done() (bool, error) {
	s.polls++
	return s.polls%3 == 0, nil
}

// never is a stream whose work does not end.
type never struct{ idle }

func (*never) Done() (bool, error) { return false, nil }

// device returns memory outside of Go's heap, as device memory is.
func device(t *testing.T, bytes int) []byte {
	m := expect.Value(syscall.Mmap(-1, 0, max(bytes, 1), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON))(t)
	t.Cleanup(func() { _ = syscall.Munmap(m) })
	return m[:bytes]
}

// patience is the time limit for messages that arrive, impatience for messages that do not.
const (
	patience   = time.Minute
	impatience = 300 * time.Millisecond
)

// together runs body on ranks with a common communicator, and returns their errors.
func together(t *testing.T, l *Library, ranks int, wait time.Duration, body func(c *Comm) error) []error {
	t.Helper()
	id := expect.Value(l.NewID())(t)
	faults := make([]error, ranks)
	var all sync.WaitGroup
	for rank := range ranks {
		all.Go(func() {
			c, err := l.Join(id, rank, ranks, wait, &idle{})
			if err == nil {
				err = body(c)
			}
			faults[rank] = err
		})
	}
	all.Wait()
	return faults
}

func wantNone(t *testing.T, faults []error) {
	t.Helper()
	for rank, err := range faults {
		expect.NoError(t, err, "rank", rank)
	}
}

// content returns a message of a length between two ranks. Messages between other ranks differ.
func content(from, to, bytes int) []byte {
	return []byte(strings.Repeat(fmt.Sprintf("%d>%d ", from, to), bytes/4+1))[:bytes]
}

func addressOf(m []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(m))) }

// gatherAndExchange gathers parts of all ranks, exchanges messages of different lengths, and waits for both.
func gatherAndExchange(t *testing.T, c *Comm, ranks int) error {
	const bytes = 1000
	own, all, want := device(t, bytes), device(t, ranks*bytes), []byte{}
	copy(own, content(c.rank, 0, bytes))
	var messages []Message
	into := make([][]byte, ranks)
	for r := range ranks {
		want = append(want, content(r, 0, bytes)...)
		if r == c.rank {
			continue
		}
		out := device(t, 100+10*c.rank+r)
		copy(out, content(c.rank, r, len(out)))
		into[r] = device(t, 100+10*r+c.rank)
		messages = append(messages, Message{At: addressOf(out), Bytes: int64(len(out)), Rank: r},
			Message{At: addressOf(into[r]), Bytes: int64(len(into[r])), Rank: r, Receive: true})
	}
	if err := c.AllGather(addressOf(own), addressOf(all), bytes); err != nil {
		return err
	}
	for _, some := range [][]Message{messages, nil} {
		if err := c.Exchange(some); err != nil {
			return err
		}
	}
	polls := c.on.(*idle).polls
	if err := c.Wait(bytes); err != nil {
		return err
	}
	if c.on.(*idle).polls != polls+3 || !slices.Equal(all, want) {
		return fmt.Errorf("rank %d: a wrong all-gather, or Wait returns before the stream's work is done", c.rank)
	}
	for r, got := range into {
		if r != c.rank && !slices.Equal(got, content(r, c.rank, len(got))) {
			return fmt.Errorf("rank %d: a wrong message from rank %d", c.rank, r)
		}
	}
	return nil
}

// Parts and messages arrive on all ranks, in several rounds. No call follows Close.
func TestComm(t *testing.T) {
	l := found(t)
	for _, ranks := range []int{1, 2, 3, 5} {
		var exchanging sync.WaitGroup
		exchanging.Add(ranks)
		wantNone(t, together(t, l, ranks, patience, func(c *Comm) error {
			err := gatherAndExchange(t, c, ranks)
			c.Opened()
			err = errors.Join(err, gatherAndExchange(t, c, ranks))
			exchanging.Done()
			exchanging.Wait()
			if err != nil {
				return err
			}
			c.Close()
			c.Close()
			if err := c.AllGather(0, 0, 0); err != errClosed {
				return fmt.Errorf("after Close: %w", err)
			}
			return nil
		}))
	}
}

// Once all connections are open, an exchange allocates no memory.
func TestNoAllocation(t *testing.T) {
	all := addressOf(device(t, 16))
	const runs = 100
	wantNone(t, together(t, found(t), 2, patience, func(c *Comm) error {
		messages := []Message{{At: addressOf(device(t, 8)), Bytes: 8, Rank: 1 - c.rank},
			{At: addressOf(device(t, 8)), Bytes: 8, Rank: 1 - c.rank, Receive: true}}
		var err error
		exchange := func() {
			err = errors.Join(err, c.AllGather(messages[0].At, all, 8), c.Exchange(messages), c.Wait(8))
		}
		exchange()
		c.Opened()
		if c.rank == 1 { // AllocsPerRun makes one call more
			for range runs + 1 {
				exchange()
			}
		} else if n := testing.AllocsPerRun(runs, exchange); n > 0 {
			return fmt.Errorf("an exchange allocates %v times", n)
		}
		return err
	}))
}

// If a call fails on a rank, or its work fails or hangs, the rank and the ranks that wait for it get an error, which
// further calls return, too.
func TestFaultsEndAllRanks(t *testing.T) {
	l := found(t)
	for _, f := range []struct {
		plan              string
		join, wait        time.Duration
		onRank1, onOthers string
	}{
		{"1 ncclAllGather error", patience, patience, "nccl: an all-gather: system error (2)", goneRank},
		{"1 ncclSend error", patience, patience, "nccl: an exchange of messages: system error (2)", goneRank},
		{"1 ncclRecv error", patience, patience, "nccl: an exchange of messages: system error (2)", goneRank},
		{"1 ncclGroupEnd error", patience, patience, "nccl: an all-gather: system error (2)", goneRank},
		{"1 ncclGroupEnd async", patience, patience, "nccl: an exchange: system error (2)", goneRank},
		{"1 ncclGroupEnd hang", patience, impatience, "nccl: an exchange has not ended on rank 1 in ", ""},
		{"1 ncclGroupEnd deaf", patience, impatience, "nccl: an exchange has not ended on rank 1 in ", ""},
		{"1 ncclCommInitRankConfig error", impatience, impatience, "nccl: joining the ranks: system error (2)",
			"nccl: joining the ranks has not ended on rank 0 in 300ms"},
		{"1 ncclCommInitRankConfig hang", impatience, impatience,
			"nccl: joining the ranks has not ended on rank 1 in 300ms", ""},
	} {
		t.Run(f.plan, func(t *testing.T) {
			t.Setenv("FAKE_NCCL_FAULT", f.plan)
			for rank, err := range together(t, l, 2, f.join, func(c *Comm) error {
				c.wait = f.wait
				err := gatherAndExchange(t, c, 2)
				if again := c.AllGather(0, 0, 0); err != nil && again != err {
					return fmt.Errorf("after %w a further call returns %w", err, again)
				}
				return err
			}) {
				want := f.onRank1
				if rank != 1 {
					want = f.onOthers
				}
				expect.That(t, err != nil && strings.Contains(err.Error(), want), "rank %d ends with %v, want %q", rank, err, want)
			}
		})
	}
}

// goneRank is NCCL's error on a rank that waits for a failed one.
const goneRank = "remote process exited (6); NCCL_DEBUG=WARN prints details: a rank is gone"

// The time limits hold if another rank does not take part, and for work of the stream that does not end.
func TestTimeLimits(t *testing.T) {
	faults := together(t, found(t), 3, patience, func(c *Comm) error {
		c.wait = impatience
		switch c.rank {
		case 1:
			c.on = &never{}
			return c.Wait(0)
		case 2:
			return nil
		}
		return c.AllGather(addressOf(device(t, 8)), addressOf(device(t, 24)), 8)
	})
	for rank, err := range faults[:2] {
		expect.That(t, err != nil && (strings.Contains(err.Error(), "an exchange has not ended on rank ") ||
			strings.Contains(err.Error(), goneRank)), "rank %d ends with %v", rank, err)
	}
}

// An abort that hangs in NCCL ends after its own time limit, whatever the limit of exchanges is.
func TestAbortThatHangs(t *testing.T) {
	t.Setenv("FAKE_NCCL_FAULT", "0 ncclCommAbort hang")
	begun := time.Now()
	wantNone(t, together(t, found(t), 1, patience, func(c *Comm) error {
		c.Abort(errClosed)
		if err := c.Check(); err != errClosed {
			return fmt.Errorf("after an abort: %w", err)
		}
		return nil
	}))
	took := time.Since(begun)
	expect.That(t, took <= patience/4, "the abort takes %v", took)
}

func TestMain(m *testing.M) {
	_ = os.Unsetenv(FileVariable)
	os.Exit(m.Run())
}
