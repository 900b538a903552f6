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

// The entries of an output folder that are no files of the record (package record).
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
	fixed   int64        // bytes of the final files that do not depend on the searches
	listed  int64        // bytes of the list of searches that this process has written
	before  []byte       // run.json as it was before this process wrote it, nil if there was none
}

// open writes the run's present state, and appends to the list of its searches; a resumed run keeps the ones
// that were whole. A kill at any moment leaves a run that can be resumed, or none, with all searches that it had.
func (s *Store) open(run *record.Run) (err error) {
	if s.before, err = os.ReadFile(filepath.Join(s.dir, record.File)); err != nil && !errors.Is(err, fs.ErrNotExist) {
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

// append puts one search on disk, in space that was kept for it, and keeps the space of the final files.
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
		return fmt.Errorf("cannot keep the search: %w", err)
	}
	return errors.Join(s.log.Sync(), s.space.grow(s.fixed+timesLine*s.listed))
}

// finish writes the final files of a finished or interrupted run, and unlocks the folder.
func (s *Store) finish(run *record.Run) error {
	return cmp.Or(s.log.Close(), s.writeFiles(run), s.lock.Release())
}

// writeFiles writes all files that follow from the searches, in the space that was kept for them.
func (s *Store) writeFiles(run *record.Run) error {
	err := cmp.Or(s.space.end(), s.results.end(), s.replace(record.File, run.WriteJSON))
	for _, file := range run.DerivedFiles() {
		err = cmp.Or(err, s.replace(file.Name, file.Write))
	}
	return err
}

// abandon restores the folder to its state before a run that must not go on there.
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
