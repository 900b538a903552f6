// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"g500/internal/atomicfile"
	"g500/internal/lock"
	"g500/record"
)

// The entries of an output folder in addition to the files of package record.
const (
	treesFolder = "trees"
	lockFile    = "run.lock" // held by rank 0 until the run has ended
)

// Store keeps a run in a folder, search by search. It is rank 0's.
type Store struct {
	dir  string
	log  *os.File
	lock *lock.Lock

	space   *reservation // for the list of searches and the final files
	results *reservation // for stored results
	fixed   int64        // size of the final files without searches, in bytes
	listed  int64        // size of the list of searches, in bytes
	before  []byte       // run.json before this process wrote it, nil if there was none
}

// open writes the present state of the run and opens the list of its searches. If the process is killed at any moment,
// the folder has no run, or one that can be resumed with all its searches.
func (s *Store) open(run *record.Run) (err error) {
	s.before, err = record.Stored(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := s.replace(record.SearchesFile, run.WriteSearches); err != nil {
		return err
	}
	if err := s.replace(record.File, run.WriteJSON); err != nil {
		return err
	}
	if s.log, err = os.OpenFile(filepath.Join(s.dir, record.SearchesFile), os.O_APPEND|os.O_WRONLY, 0); err != nil {
		return err
	}
	s.listed, err = s.log.Seek(0, io.SeekEnd)
	return err
}

// append writes one search to disk, in reserved space, and reserves space for its part of the final files.
func (s *Store) append(kernel record.Kernel, search record.Search) error {
	line, err := kernel.Line(search)
	if err == nil {
		s.listed += int64(len(line))
		err = s.space.spend(int64(len(line)))
	}
	if err == nil {
		_, err = s.log.Write(line)
	}
	if err != nil {
		return fmt.Errorf("cannot store the search: %w", err)
	}
	return errors.Join(s.log.Sync(), s.space.grow(s.fixed+timesLine*s.listed))
}

// finish writes the final files of a finished or interrupted run, and unlocks the folder.
func (s *Store) finish(run *record.Run) error {
	return cmp.Or(s.log.Close(), s.writeFiles(run), s.lock.Release())
}

// writeFiles writes the final files, in reserved space.
func (s *Store) writeFiles(run *record.Run) error {
	err := cmp.Or(s.space.end(), s.results.end(), s.replace(record.File, run.WriteJSON))
	for _, file := range run.DerivedFiles() {
		err = cmp.Or(err, s.replace(file.Name, file.Write))
	}
	return err
}

// abandon restores the folder to its state before the run, and unlocks it.
func (s *Store) abandon() error {
	restore := func(w io.Writer) error {
		_, err := w.Write(s.before)
		return err
	}
	return errors.Join(s.log.Close(), s.space.end(), s.results.end(), s.replace(record.File, restore), s.lock.Release())
}

// replace replaces a file of the folder.
func (s *Store) replace(name string, write func(io.Writer) error) error {
	path := filepath.Join(s.dir, name)
	if err := atomicfile.Write(path, write); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}

// openFolder locks the output folder for this run, reserves space for its files, and writes the run's present state.
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
	return cmp.Or(err, s.lock.Release())
}
