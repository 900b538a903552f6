package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"g500/internal/lock"
	"g500/record"
)

// openFolder takes the output folder for this run alone, from before its first file to after its last, keeps the space
// for its files, and writes the run's present state.
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
		b.note("nothing keeps another run out of the folder %s: its file system has no locks (%v)", dir, s.lock.Unguarded)
	}
	if err = asExpected(dir, b.setup.Earlier); err == nil {
		err = b.reserveFiles(s)
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

// takeFolder makes an output folder, if it is not there, and locks it.
func takeFolder(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make the output folder: %w", err)
	}
	held, err := lock.Take(filepath.Join(dir, lockFile))
	var other *lock.HeldError
	if errors.As(err, &other) {
		return nil, fmt.Errorf("the folder %s is in use by %s: wait until that run has ended, or name another folder",
			dir, other.Holder)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot write to the output folder: %w", err)
	}
	return &Store{dir: dir, lock: held}, nil
}

// asExpected refuses a folder that already holds a run, or, where one is resumed, that no longer holds what was read
// before the folder was locked: its last searches would be lost.
func asExpected(dir string, earlier *record.Run) error {
	if earlier == nil {
		if _, err := record.Stored(dir); err == nil {
			return fmt.Errorf("the folder %s already holds a run; name another one, or go on with --resume %s", dir, dir)
		}
		return nil
	}
	now, err := record.ReadEarlier(dir)
	if err == nil && !now.SameSearches(earlier) {
		err = fmt.Errorf("the run in %s went on in another process while this one began: resume it again", dir)
	}
	return err
}

// WriteLastFiles writes the files of a run of which record.Run.AllSearched is true, and which has its verdict. The run
// stays as it was made: nothing is generated, built or searched again.
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
