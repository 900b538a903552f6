// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"g500/internal/lock"
	"g500/record"
)

// openFolder locks the output folder for this run, reserves space for its files, and writes the present state of the
// run.
func (b *benchmark) openFolder() error {
	dir := b.cfg.Output.Dir
	if b.t.Rank() != 0 || dir == "" {
		return nil
	}
	s, err := takeFolder(dir)
	if err != nil {
		return err
	}
	if s.lock.Unguarded != nil {
		b.note("another run may use the folder %s too, because its file system has no locks (%v)", dir, s.lock.Unguarded)
	}
	if err = asExpected(dir, b.setup.Earlier); err == nil {
		err = b.reserveFiles(s)
	}
	if err == nil {
		err = b.graph.writeLabels(dir)
	}
	if err == nil {
		err = s.open(b.run)
	}
	if err != nil {
		return errors.Join(err, s.space.end(), s.results.end(), s.lock.Release())
	}
	b.store = s
	return nil
}

// takeFolder creates an output folder if it is missing, and locks it.
func takeFolder(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("cannot make the output folder: %w; name another one with --output", err)
	}
	held, err := lock.Take(filepath.Join(dir, lockFile))
	var other *lock.HeldError
	if errors.As(err, &other) {
		return nil, fmt.Errorf("the folder %s is in use by %s: wait until that run has ended, or name another folder",
			dir, other.Holder)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot write to the output folder: %w; name another one with --output", err)
	}
	return &Store{dir: dir, lock: held}, nil
}

// ErrHoldsRun means that the output folder of a new run already has a run.
var ErrHoldsRun = errors.New("already holds a run")

// asExpected returns an error if a folder for a new run already has a run, or if a run to resume got other searches
// after it was read and before the folder was locked.
func asExpected(dir string, earlier *record.Run) error {
	if earlier == nil {
		if _, err := record.Stored(dir); err == nil {
			return fmt.Errorf("the folder %s %w; name another one, or go on with --resume %[1]s", dir, ErrHoldsRun)
		}
		return nil
	}
	now, err := record.ReadEarlier(dir)
	if err == nil && !now.SameSearches(earlier) {
		err = fmt.Errorf("another process continued the run in %s while this one began: resume it again", dir)
	}
	return err
}

// WriteLastFiles writes the final files of a run that has a verdict and lacks only files (record.Run.AllSearched). It
// does not repeat any work of the run.
func WriteLastFiles(dir string, run *record.Run) error {
	s, err := takeFolder(dir)
	if err != nil {
		return err
	}
	if err = asExpected(dir, run); err == nil {
		err = s.writeFiles(run)
	}
	if failed := s.lock.Release(); err == nil {
		err = failed
	}
	return err
}
