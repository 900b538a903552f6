package scale

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/BurntSushi/toml"

	"g500/internal/atomicfile"
	"g500/record"
	"io"
)

// The files of a study's folder, beside a folder for each run.
const (
	File       = "study.toml"  // the study, which may be given to g500 scale again
	TableFile  = "study.csv"   // the table of its runs, which g500 scale writes
	configFile = "config.toml" // the configuration that it names
	lockFile   = "study.lock"  // held as long as a process works in the folder
)

// The files of a run's folder that matter here, which g500 run writes, and the one that it does not.
const (
	runFile      = record.File
	searchesFile = record.SearchesFile
	logFile      = "log.txt" // standard output and error of the run, attempt after attempt
)

// settle writes the study into its folder. A folder that has one already must have the same, but that a study may
// grow: scales, ranks, kernels and repeats may change, and so may the limit. Otherwise its runs would be no longer
// comparable. A study without a run of the earlier one is another study, and would take the place of its table.
func (s Study) settle(dir string) error {
	path := filepath.Join(dir, File)
	switch earlier, err := Load(path); {
	case isMissing(path) && isMissing(filepath.Join(dir, TableFile)):
	case isMissing(path):
		return fmt.Errorf("scale: %s has the table %s of another study, without its %s: name another folder with --output",
			dir, TableFile, File)
	case err != nil:
		return err
	case !reflect.DeepEqual(earlier.lasting(), s.lasting()):
		return fmt.Errorf("scale: the study in %s had other settings; "+
			"only scales, ranks, kernels, repeats and limit may change. Name another folder with --output", dir)
	case !earlier.sharesRunWith(s):
		return fmt.Errorf("scale: %s is the folder of another study, which has no run in common with this one: "+
			"name another folder with --output", dir)
	}
	if s.Config != "" {
		s.Config = configFile
		if err := replace(filepath.Join(dir, configFile), []byte(s.configText)); err != nil {
			return err
		}
	}
	var text bytes.Buffer
	if err := toml.NewEncoder(&text).Encode(s); err != nil {
		return fmt.Errorf("scale: %w", err)
	}
	return replace(path, text.Bytes())
}

// sharesRunWith reports whether two studies have a run in common, as a study and its extension have.
func (s Study) sharesRunWith(other Study) bool {
	plan := s.Plan()
	return slices.ContainsFunc(other.Plan(), func(r Run) bool { return slices.Contains(plan, r) })
}

// isMissing says that there is no such file, which differs from one that names another file that is missing.
func isMissing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// lasting is what must not change between two starts of a study.
func (s Study) lasting() Study {
	s.Scales, s.Ranks, s.Kernels, s.Repeats, s.Limit = nil, nil, nil, 0, Duration{}
	s.Config = "" // its text is what counts
	if len(s.Flags) == 0 {
		s.Flags = nil
	}
	if len(s.Launch) == 0 {
		s.Launch = nil
	}
	return s
}

// replace replaces the file at path.
func replace(path string, text []byte) error {
	write := func(w io.Writer) error { _, err := w.Write(text); return err }
	if err := atomicfile.Write(path, write); err != nil {
		return fmt.Errorf("scale: %w", err)
	}
	return nil
}

// state is how far a run has come.
type state int

const (
	toDo     state = iota // not begun, or without a single search
	cutOff                // some searches are done
	finished              // whatever its verdict is
)

// look tells how far the run in a folder has come, and what is known of it.
func look(dir string) (state, *record.Run, error) {
	run, err := record.Read(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return toDo, nil, nil
	case err != nil:
		return toDo, nil, fmt.Errorf("scale: %s cannot be read: remove it to repeat the run: %w",
			filepath.Join(dir, runFile), err)
	case run.Status != record.Incomplete:
		return finished, run, nil
	}
	searches, err := os.ReadFile(filepath.Join(dir, searchesFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return toDo, nil, fmt.Errorf("scale: %w", err)
	}
	if bytes.Count(searches, []byte("\n")) == 0 {
		return toDo, run, nil
	}
	return cutOff, run, nil
}

// leave records a run that failed before it could write anything itself.
func leave(dir string, run *record.Run) error {
	var text bytes.Buffer
	if err := run.WriteJSON(&text); err != nil {
		return err
	}
	return replace(filepath.Join(dir, runFile), text.Bytes())
}
