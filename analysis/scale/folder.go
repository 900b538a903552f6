// SPDX-License-Identifier: Apache-2.0

package scale

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/BurntSushi/toml"

	"g500/internal/atomicfile"
	"g500/internal/infile"
	"g500/internal/lock"
	"g500/record"
)

// The files of a study's folder, in addition to a folder for each run.
const (
	File       = "study.toml"  // the study, which g500 scale reads again
	TableFile  = "study.csv"   // the table of its runs, which g500 scale writes
	configFile = "config.toml" // its configuration
	lockFile   = "study.lock"  // held while a process writes one of these
)

// logFile is a file of a run's folder: standard output and error of the run, attempt after attempt.
const logFile = "log.txt"

// admit fixes the threads per rank, as the folder's study has them if there is one, or else for a machine with this
// number of cores. It returns an error if the folder is of another study. Of the folder's study only scales, sizes,
// kernels, repeats and the limit may differ, so that runs stay comparable. Both must have a run in common: otherwise
// the new study would replace the table of another one.
func (s *Study) admit(dir string, cores int) error {
	path := filepath.Join(dir, File)
	earlier, err := Load(path)
	if err == nil {
		s.Threads = cmp.Or(s.Threads, earlier.Threads)
	} else {
		s.Threads = s.fixedThreads(cores)
	}
	plan := s.Plan()
	inPlan := func(r Planned) bool { return slices.Contains(plan, r) }
	switch {
	case isMissing(path) && isMissing(filepath.Join(dir, TableFile)):
		return s.refuseForeign(dir)
	case isMissing(path):
		return fmt.Errorf("scale: %s has the table %s of another study without its %s: name another folder with --output",
			dir, TableFile, File)
	case err != nil:
		return err
	case !reflect.DeepEqual(earlier.lasting(), s.lasting()):
		return fmt.Errorf("scale: the study in %s had other settings; "+
			"only scales, sizes, kernels, repeats and limit may change. Name another folder with --output", dir)
	case !slices.ContainsFunc(earlier.Plan(), inPlan):
		return fmt.Errorf("scale: %s is the folder of another study without a common run: "+
			"name another folder with --output", dir)
	}
	return nil
}

// settle admits the study to its folder, and writes it there.
func (s *Study) settle(dir string, cores int) error {
	if err := s.admit(dir, cores); err != nil {
		return err
	}
	stored := *s
	if s.Config != "" {
		stored.Config = configFile
		write := func(w io.Writer) error { _, err := io.WriteString(w, s.configText); return err }
		if err := replace(filepath.Join(dir, configFile), write); err != nil {
			return err
		}
	}
	return replace(filepath.Join(dir, File), func(w io.Writer) error { return toml.NewEncoder(w).Encode(stored) })
}

// refuseForeign returns an error if a folder without a study has runs that are not in the plan, because they would
// become runs of the study. Runs of studies below the folder, and copies in folders of planned runs, do not count.
func (s Study) refuseForeign(dir string) error {
	return filepath.WalkDir(dir+string(filepath.Separator), func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil: // a missing folder, or one that cannot be read
			return fs.SkipDir
		case entry.IsDir() && (s.PlanOf(entry.Name()) != nil || !isMissing(filepath.Join(name, File))):
			return fs.SkipDir
		case entry.Name() == record.File:
			return fmt.Errorf("scale: %s is a run of no study, and would be counted as a run of this one: "+
				"name another folder with --output", name)
		}
		return nil
	})
}

// isMissing reports whether the file itself is missing, and not a file that it names.
func isMissing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// lasting returns the settings that must not change between two starts of a study.
func (s Study) lasting() Study {
	s.Scales, s.Kernels, s.Repeats, s.Limit = nil, nil, 0, 0
	s.Ranks, s.GPUs, s.Nodes, s.Cores = nil, nil, nil, nil
	s.Config, s.configFrom = "", "" // only the text counts
	if len(s.Flags) == 0 {
		s.Flags = nil
	}
	if len(s.Launch) == 0 {
		s.Launch = nil
	}
	return s
}

// Exclusive calls f while no other process does so with this folder. It waits for the other one.
func Exclusive(dir string, f func() error) error {
	for try := 1; ; try++ {
		held, err := lock.Take(filepath.Join(dir, lockFile))
		var busy *lock.HeldError
		if errors.As(err, &busy) && try < mostTries {
			time.Sleep(betweenTries)
			continue
		}
		if err != nil {
			return fmt.Errorf("scale: cannot use the folder of the study: %w", err)
		}
		return errors.Join(f(), held.Release())
	}
}

// The tries of Exclusive, half a minute in all. Others use the folder for milliseconds.
const (
	mostTries    = 600
	betweenTries = 50 * time.Millisecond
)

// replace replaces the file at path.
func replace(path string, write func(io.Writer) error) error {
	if err := atomicfile.Write(path, write); err != nil {
		return fmt.Errorf("scale: %w", err)
	}
	return nil
}

// state is the progress of a run.
type state int

const (
	toDo     state = iota // not begun, or without a single search
	cutOff                // some searches are done
	finished              // with any verdict
)

// progress reads the run in a folder and its state.
func progress(dir string) (state, *record.Run, error) {
	run, err := record.Read(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return toDo, nil, nil
	case err != nil:
		return toDo, nil, fmt.Errorf("scale: %s cannot be read: remove it to repeat the run: %w",
			filepath.Join(dir, record.File), err)
	case run.Status != record.Incomplete:
		return finished, run, nil
	}
	searches, err := infile.Small(filepath.Join(dir, record.SearchesFile), "the searches", infile.Records)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return toDo, nil, fmt.Errorf("scale: %w", err)
	}
	if bytes.Count(searches, []byte("\n")) == 0 {
		return toDo, run, nil
	}
	return cutOff, run, nil
}
