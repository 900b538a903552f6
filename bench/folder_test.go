package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/bfs"
	"g500/internal/machine"
	"g500/record"
)

// While a run uses a folder, no other run can use it or resume the run, on any number of ranks, and the run is valid.
func TestAFolderHasOneRunAtATime(t *testing.T) {
	c := config(8)
	c.Output.Dir = t.TempDir()
	want := fmt.Sprintf("the folder %s is in use by process %d on %s: ", c.Output.Dir, os.Getpid(), machine.Node())
	intrude := func(rank int, _ bfs.HostTree) error {
		if rank != 0 {
			return nil
		}
		if _, err := run(context.Background(), 3, hybrid(c)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("another run: %v, want %q", err, want)
		}
		s := hybrid(c)
		var err error
		if s.Earlier, err = record.ReadEarlier(c.Output.Dir); err != nil {
			t.Error(err)
		}
		if _, err := run(context.Background(), 2, s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a resumption: %v, want %q", err, want)
		}
		return errors.New("enough")
	}
	first, err := run(context.Background(), 2, faultySetup(c, 4, intrude))
	if err == nil || first.Status != record.Incomplete || first.Done() != 2 {
		t.Errorf("error %v, status %s, %d searches", err, first.Status, first.Done())
	}
	if _, err := os.Stat(filepath.Join(c.Output.Dir, lockFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the run left its lock (%v)", err)
	}
}

// A process does not resume a run that another process has continued since it was read.
func TestResumeAfterAnotherProcess(t *testing.T) {
	c := config(8)
	c.Output.Dir = t.TempDir()
	stop := func(ctx context.CancelFunc) func(int, bfs.HostTree) error {
		return func(int, bfs.HostTree) error { ctx(); return nil }
	}
	part := func(searches int, earlier *record.Run) error {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		s := faultySetup(c, searches+1, stop(cancel))
		s.Earlier = earlier
		_, err := run(ctx, 1, s)
		return err
	}
	if err := part(3, nil); err != nil {
		t.Fatal(err)
	}
	earlier, err := record.ReadEarlier(c.Output.Dir)
	if err := errors.Join(err, part(5, earlier)); err != nil {
		t.Fatal(err)
	}
	if err := part(1, earlier); err == nil || !strings.Contains(err.Error(), "another process continued the run") {
		t.Errorf("resumed from an outdated list of searches: %v", err)
	}
	if now, err := record.ReadEarlier(c.Output.Dir); err != nil || now.Done() != 8 {
		t.Errorf("%d searches are left (%v), want 8", now.Done(), err)
	}
	s := hybrid(c)
	if s.Earlier, err = record.ReadEarlier(c.Output.Dir); err != nil {
		t.Fatal(err)
	}
	if _, err := run(context.Background(), 1, s); err != nil {
		t.Fatal(err)
	}
	if err := part(1, earlier); err == nil || !strings.Contains(err.Error(), "has ended VALID") {
		t.Errorf("resumed from what had ended: %v", err)
	}
}

// A run that does not fit into memory leaves no run in the folder.
func TestARunThatDoesNotFitLeavesNothing(t *testing.T) {
	c := config(40)
	c.Output.Dir = t.TempDir()
	_, err := run(context.Background(), 2, hybrid(c))
	if err == nil || !strings.Contains(err.Error(), "the largest scale that fits is") {
		t.Errorf("scale 40 ended with %v", err)
	}
	if left, err := os.ReadDir(c.Output.Dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
