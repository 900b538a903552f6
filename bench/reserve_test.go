package bench

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/internal/expect"
	"g500/internal/machine"
	"g500/partition"
	"g500/record"
)

// Space for stored results is reserved only if the file system can allocate it and does not limit the size of a file.
func TestResultsAreReservedIfThatCostsNothing(t *testing.T) {
	const large = 64 * 8 << 8 // of all trees
	for _, c := range []struct {
		large error
		goes  bool
	}{{nil, true}, {errors.ErrUnsupported, true}, {syscall.EFBIG, true}, {syscall.ENOSPC, false}} {
		cfg := config(8)
		cfg.Output.Dir, cfg.Output.Trees = t.TempDir(), true
		asked := false
		allocating(t, func(f *os.File, bytes int64) error {
			if bytes != large {
				return machine.Allocate(f, bytes)
			}
			asked = true
			return c.large
		})
		r, err := run(context.Background(), 1, hybrid(cfg))
		if valid := err == nil && r.Status == record.Valid; valid != c.goes || !asked {
			t.Errorf("%v: valid %v, error %v, %d bytes asked for: %v", c.large, valid, err, large, asked)
		}
	}
}

func TestReservation(t *testing.T) {
	for meaning, f := range map[string]func(*os.File, int64) error{
		"allocated": machine.Allocate,
		"written":   func(*os.File, int64) error { return errors.ErrUnsupported },
	} {
		allocating(t, f)
		dir := t.TempDir()
		r := expect.Value(reserve(dir, 100<<10))(t)
		kept := func() int64 { return expect.Value(r.file.Stat())(t).Sys().(*syscall.Stat_t).Blocks * 512 }
		expect.Equal(t, len(filesOf(t, dir)), 0, meaning)
		if got := kept(); got < 100<<10 {
			t.Errorf("%s: %d bytes are kept", meaning, got)
		}
		if err := r.spend(60 << 10); err != nil || kept() > 44<<10 {
			t.Errorf("%s: %d bytes are kept after 60 KiB were given back (%v)", meaning, kept(), err)
		}
		if err := r.grow(200 << 10); err != nil || kept() < 200<<10 {
			t.Errorf("%s: %d bytes are kept after it grew to 200 KiB (%v)", meaning, kept(), err)
		}
		expect.NoError(t, errors.Join(r.spend(1<<30), r.end()))
	}
}

// The space reserved for the files of a run suffices, with and without traces.
func TestReservedSpaceIsEnough(t *testing.T) {
	for _, traced := range []bool{false, true} {
		c := configOf("both", 10)
		c.Search.Trace, c.Output.Dir = traced, t.TempDir()
		first := int64(0)
		allocating(t, func(f *os.File, bytes int64) error {
			if first == 0 {
				first = bytes
			} else {
				t.Errorf("traced %v: %d bytes were kept at first, and then %d", traced, first, bytes)
			}
			return machine.Allocate(f, bytes)
		})
		mustRun(t, 3, hybrid(c))
		all := int64(0)
		for _, text := range filesOf(t, c.Output.Dir) {
			all += int64(len(text))
		}
		if all == 0 || all > first {
			t.Errorf("traced %v: %d bytes were kept, and the files have %d", traced, first, all)
		}
	}
}

// fullDisk returns an error for each write.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// An array is gathered in pieces; one that cannot be written ends the job with the reason, on all ranks.
func TestArrayThatCannotBeWritten(t *testing.T) {
	layout := partition.NewCyclic(2*arrayPiece+5, 3)
	err := comm.Loopback(3, func(t comm.Transport) error {
		return comm.Agree(t, parentEncoding.gather(t, layout, make([]graph.Global, layout.Count(t.Rank())), fullDisk{}))
	})
	if err == nil || !strings.HasPrefix(err.Error(), "rank 0: ") || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("the job ended with %v", err)
	}
}
