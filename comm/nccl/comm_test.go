//go:build cgo

package nccl

import (
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
)

// fake compiles the library of testdata with additional flags.
func fake(t *testing.T, flags ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), usualFile)
	compiler, err := exec.Command("go", "env", "CC").Output()
	if err != nil {
		t.Fatal(err)
	}
	words := append(strings.Fields(string(compiler)), "-shared", "-fPIC", "-Wall", "-o", file, "testdata/fake.c")
	words = append(append(words, flags...), "-lpthread")
	if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// found loads the fake library, which stores messages in a folder of the test.
func found(t *testing.T) *Library {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	l, err := open(fake(t))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// idle is a stream whose work is done at the third poll.
type idle struct{ polls int }

func (*idle) Handle() unsafe.Pointer { return nil }

func (s *idle) Done() (bool, error) {
	s.polls++
	return s.polls%3 == 0, nil
}

// device returns memory outside of Go's heap, as device memory is.
func device(t *testing.T, bytes int) []byte {
	m, err := syscall.Mmap(-1, 0, max(bytes, 1), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
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
	id, err := l.NewID()
	if err != nil {
		t.Fatal(err)
	}
	faults := make([]error, ranks)
	var all sync.WaitGroup
	for rank := range ranks {
		all.Go(func() {
			c, err := l.Join(id, rank, ranks, wait)
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
		if err != nil {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
}

// content returns a message of a length between two ranks. Messages between other ranks differ.
func content(from, to, bytes int) []byte {
	return []byte(strings.Repeat(fmt.Sprintf("%d>%d ", from, to), bytes/4+1))[:bytes]
}

// The parts of all ranks arrive at their places.
func TestAllGather(t *testing.T) {
	l := found(t)
	for _, ranks := range []int{1, 2, 3, 5} {
		for _, bytes := range []int{0, 16, 100_000} {
			wantNone(t, together(t, l, ranks, patience, func(c *Comm) error {
				all, want := device(t, ranks*bytes), []byte{}
				copy(all[c.rank*bytes:], content(c.rank, 0, bytes))
				for r := range ranks {
					want = append(want, content(r, 0, bytes)...)
				}
				s := &idle{}
				if err := c.AllGather(all, s); err != nil {
					return err
				}
				if !slices.Equal(all, want) {
					return fmt.Errorf("AllGather among %d ranks of parts of %d bytes is wrong", ranks, bytes)
				}
				if bytes > 0 && s.polls != 3 {
					return fmt.Errorf("the stream was polled %d times, want 3", s.polls)
				}
				return nil
			}))
		}
	}
}

// Messages of several patterns arrive in several rounds. Empty messages are not sent.
func TestExchange(t *testing.T) {
	const ranks = 4
	wantNone(t, together(t, found(t), ranks, patience, func(c *Comm) error {
		for round := range 6 {
			size := func(from, to int) int {
				if from == to || round == 0 || (from+to+round)%3 == 0 {
					return 0
				}
				return 1000*from + 10*to + round
			}
			send, into := make([][]byte, ranks), make([][]byte, ranks)
			for r := range ranks {
				send[r], into[r] = device(t, size(c.rank, r)), device(t, size(r, c.rank))
				copy(send[r], content(c.rank, r, len(send[r])))
			}
			if err := c.Exchange(send, into, &idle{}); err != nil {
				return err
			}
			for r := range ranks {
				if !slices.Equal(into[r], content(r, c.rank, len(into[r]))) {
					return fmt.Errorf("round %d: the message from rank %d is wrong", round, r)
				}
			}
		}
		return nil
	}))
}

// everyone returns a body that sends 8 bytes to each other rank, with a time limit.
func everyone(t *testing.T, wait time.Duration) func(c *Comm) error {
	return func(c *Comm) error {
		c.wait = wait
		send, into := make([][]byte, c.ranks), make([][]byte, c.ranks)
		for r := range c.ranks {
			if r != c.rank {
				send[r], into[r] = device(t, 8), device(t, 8)
			}
		}
		err := c.Exchange(send, into, &idle{})
		if again := c.Exchange(send, into, &idle{}); err != nil && again != err {
			return fmt.Errorf("after %w a further call returns %w", err, again)
		}
		return err
	}
}

// If a call fails on a rank, or its work fails or hangs, the rank and the ranks that wait for it get an error.
func TestFaultsEndAllRanks(t *testing.T) {
	l := found(t)
	for _, c := range []struct {
		plan              string
		join, wait        time.Duration
		onRank1, onOthers string
	}{
		{"1 ncclSend error", patience, patience, "nccl: exchanging messages: system error (2)", goneRank},
		{"1 ncclRecv error", patience, patience, "nccl: exchanging messages: system error (2)", goneRank},
		{"1 ncclGroupEnd error", patience, patience, "nccl: exchanging messages: system error (2)", goneRank},
		{"1 ncclGroupEnd async", patience, patience, "nccl: exchanging messages: system error (2)", goneRank},
		{"1 ncclGroupEnd hang", patience, impatience, "nccl: exchanging messages has not ended on rank 1 in 300ms", ""},
		{"1 ncclCommInitRankConfig error", impatience, impatience, "nccl: joining the ranks: system error (2)",
			"nccl: joining the ranks has not ended on rank 0 in 300ms"},
		{"1 ncclCommInitRankConfig hang", impatience, impatience,
			"nccl: joining the ranks has not ended on rank 1 in 300ms", ""},
	} {
		t.Run(c.plan, func(t *testing.T) {
			t.Setenv("FAKE_NCCL_FAULT", c.plan)
			for rank, err := range together(t, l, 2, c.join, everyone(t, c.wait)) {
				want := c.onRank1
				if rank != 1 {
					want = c.onOthers
				}
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("rank %d ends with %v, want %q", rank, err, want)
				}
			}
		})
	}
}

// goneRank is NCCL's error on a rank that waits for a failed one.
const goneRank = "remote process exited (6); NCCL_DEBUG=WARN prints details: a rank is gone"

// The time limit holds if another rank does not take part.
func TestMissingRank(t *testing.T) {
	faults := together(t, found(t), 3, patience, func(c *Comm) error {
		if c.rank == 2 {
			return nil
		}
		c.wait = impatience
		into := make([][]byte, 3)
		into[2] = device(t, 8)
		return c.Exchange(make([][]byte, 3), into, &idle{})
	})
	for rank, err := range faults[:2] {
		if err == nil {
			t.Errorf("rank %d receives a message that no rank has sent", rank)
		}
	}
}

// Wrong numbers of messages are refused, and calls on a closed communicator.
func TestRefusals(t *testing.T) {
	wantNone(t, together(t, found(t), 2, patience, func(c *Comm) error {
		if err := c.AllGather(device(t, 17), &idle{}); err == nil {
			return fmt.Errorf("AllGather accepts 17 bytes of 2 ranks")
		}
		if err := c.Exchange(make([][]byte, 3), make([][]byte, 2), &idle{}); err == nil {
			return fmt.Errorf("Exchange accepts messages for 3 of 2 ranks")
		}
		c.Close()
		c.Close()
		if err := c.AllGather(device(t, 16), &idle{}); err != errClosed {
			return fmt.Errorf("AllGather on a closed communicator returns %w", err)
		}
		return nil
	}))
}

func TestMain(m *testing.M) {
	_ = os.Unsetenv(FileVariable)
	os.Exit(m.Run())
}
