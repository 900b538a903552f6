package bench

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"g500/internal/lock"
	"g500/record"
)

// The files of an output folder.
const (
	searchesFile = "searches.jsonl" // one line a search, on disk before the next search begins
	runFile      = record.File      // the whole run; INCOMPLETE until it has ended
	tableFile    = "searches.csv"   // the same as a table, at the end
	pathsFile    = "sssp.csv"       // that of shortest paths
	officialFile = "official.txt"   // the output block, only of a run that may print one
	treesFolder  = "trees"
	lockFile     = "run.lock" // held by rank 0 until the run has ended
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
	searches := func(w io.Writer) error {
		all := run.Searches
		if run.Paths != nil {
			all = slices.Concat(all, run.Paths.Searches)
		}
		for _, search := range all {
			if err := json.NewEncoder(w).Encode(search); err != nil {
				return err
			}
		}
		return nil
	}
	if s.before, err = os.ReadFile(filepath.Join(s.dir, runFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := s.replace(searchesFile, searches); err != nil {
		return err
	}
	if err := s.replace(runFile, run.WriteJSON); err != nil {
		return err
	}
	if s.log, err = os.OpenFile(filepath.Join(s.dir, searchesFile), os.O_APPEND|os.O_WRONLY, 0); err != nil {
		return err
	}
	s.listed, err = s.log.Seek(0, io.SeekEnd)
	return err
}

// append puts one search on disk, in space that was kept for it, and keeps the space of the final files.
func (s *Store) append(search record.Search) error {
	line, err := json.Marshal(search)
	if err == nil {
		s.listed += int64(len(line)) + 1
		err = s.space.spend(int64(len(line)) + 1)
	}
	if err == nil {
		_, err = s.log.Write(append(line, '\n'))
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
	var tables error
	freed := cmp.Or(s.space.end(), s.results.end())
	if run.HasBFS() {
		tables = s.replace(tableFile, run.WriteCSV)
	}
	if run.HasSSSP() {
		tables = cmp.Or(tables, s.replace(pathsFile, run.WritePathsCSV))
	}
	return cmp.Or(freed, s.replace(runFile, run.WriteJSON), tables, s.finishBlock(run))
}

// abandon restores the folder to its state before a run that must not go on there.
func (s *Store) abandon() error {
	restore := func(w io.Writer) error {
		_, err := w.Write(s.before)
		return err
	}
	return errors.Join(s.log.Close(), s.space.end(), s.results.end(), s.replace(runFile, restore), s.lock.Release())
}

func (s *Store) finishBlock(run *record.Run) error {
	if run.Status != record.Valid && run.Status != record.Unvalidated {
		return nil
	}
	return s.replace(officialFile, func(w io.Writer) error { return writeOfficial(run, w) })
}

// writeOfficial writes the output block and the verdict below it.
func writeOfficial(run *record.Run, w io.Writer) error {
	if err := run.WriteOfficial(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, run.Verdict())
	return err
}

// replace writes a file beside the old one and then takes its place, so that a crash leaves one of the two.
func (s *Store) replace(name string, write func(io.Writer) error) error {
	path := filepath.Join(s.dir, name)
	file, err := os.Create(path + ".new")
	if err != nil {
		return fmt.Errorf("cannot write to the output folder: %w", err)
	}
	w := bufio.NewWriter(file)
	if err := cmp.Or(write(w), w.Flush(), file.Sync(), file.Close()); err != nil {
		return cmp.Or(fmt.Errorf("cannot write %s: %w", path, err), os.Remove(file.Name()))
	}
	return os.Rename(path+".new", path)
}

// LoadEarlier reads the run that was cut off in dir, with the configuration that it was started with.
func LoadEarlier(dir string) (*record.Run, Config, error) {
	c := DefaultConfig()
	path := filepath.Join(dir, runFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, c, fmt.Errorf("there is no run to resume in %s (every rank must be able to read the folder): %w",
			dir, err)
	}
	run, err := record.Parse(text)
	if err != nil {
		return nil, c, fmt.Errorf("%s: %w", path, err)
	}
	if err := decodeConfig(run.Config, &c); err != nil {
		return nil, c, fmt.Errorf("the configuration in %s cannot be read: %w", path, err)
	}
	if run.Contradiction != "" {
		return nil, c, contradiction(dir, run.Contradiction)
	}
	all, err := readSearches(filepath.Join(dir, searchesFile))
	if run.Status != record.Incomplete && run.Status != record.Invalid {
		return run, c, lacksFiles(dir, run)
	}
	takeSearches(run, all)
	if err == nil {
		if c.Search.MinTime > 0 {
			planRounds(run, c)
		}
		err = resumable(dir, run, c)
	}
	if err == nil {
		if fault := record.Check(run); fault != nil {
			err = contradiction(dir, fmt.Sprintf("%s and %s contradict each other: %v", runFile, searchesFile, fault))
		}
	}
	return run, c, err
}

// contradiction refuses to resume a run whose files cannot all be true.
func contradiction(dir, why string) error {
	return fmt.Errorf("the run in %s cannot be resumed: %s; start a new run in another folder", dir, why)
}

// resumable refuses a run whose verdict stands, such as one that was killed after a tree that breaks a rule.
func resumable(dir string, run *record.Run, c Config) error {
	if pipe := run.Pipe(); pipe != "" && !AllSearched(run, c) {
		return fmt.Errorf("the run in %s read %s, a pipe that cannot be read again, and so it cannot be resumed: "+
			"start a new run", dir, pipe)
	}
	if run.Status == record.Incomplete || run.Failure == interruption {
		judged := *run
		judged.Failure = ""
		if judged.Settle(); judged.Status != record.Invalid {
			return nil
		}
	}
	return ended(dir, record.Invalid)
}

func ended(dir string, verdict record.Status) error {
	return fmt.Errorf("the run in %s has ended %s: there is nothing to resume; start a new one in another folder",
		dir, verdict)
}

// takeSearches gives each kernel of a run its searches of a list.
func takeSearches(run *record.Run, list []record.Search) {
	var ofBFS, ofSSSP []record.Search
	for _, s := range list {
		if s.Kernel == record.SSSP {
			ofSSSP = append(ofSSSP, s)
		} else {
			ofBFS = append(ofBFS, s)
		}
	}
	run.Searches = ofBFS
	if run.Paths != nil {
		paths := *run.Paths
		paths.Searches = ofSSSP
		run.Paths = &paths
	}
}

func decodeConfig(stored any, c *Config) error {
	text, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, c)
}

// readSearches reads the lines that are whole: the run may have been killed while it wrote the last one.
func readSearches(path string) ([]record.Search, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the searches done so far: %w", err)
	}
	defer file.Close()
	var all []record.Search
	for lines := bufio.NewReader(file); ; {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		var s record.Search
		if err := json.Unmarshal(line, &s); err != nil {
			return nil, fmt.Errorf("%s, search %d: %w", path, len(all), err)
		}
		all = append(all, s)
	}
}

// sameMachine refuses to resume a run where another program, or another machine, would go on with it.
func sameMachine(earlier *record.Run, now record.Environment) error {
	was := earlier.Environment
	for _, of := range []struct {
		name    string
		was, is any
	}{
		{"the engine", was.Engine, now.Engine},
		{"the program", was.Program, now.Program},
		{"the transport", was.Transport, now.Transport},
		{"the number of threads a rank", was.Threads, now.Threads},
		{"the processor", was.CPU, now.CPU},
		{"the device", was.Device, now.Device},
	} {
		if of.was != of.is && earlier.Done() > 0 {
			return fmt.Errorf("the run to resume was made with something else: %s was %v and is %v; "+
				"resume it where it began, or start a new run",
				of.name, of.was, of.is)
		}
	}
	return nil
}

// SameRun refuses to resume a run with other settings than it was started with: its times would be a mixture.
func SameRun(earlier, now Config) error {
	earlier.Output, now.Output = OutputConfig{}, OutputConfig{}
	if other := differences(earlier, now); len(other) > 0 {
		return fmt.Errorf("the run to resume was started with other settings: %s; "+
			"resume it with the same, or start a new run",
			strings.Join(other, ", "))
	}
	return nil
}
