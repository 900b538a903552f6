package bench

import (
	"path/filepath"
	"slices"
	"time"

	"g500/record"
)

// AllSearched reports whether a run that LoadEarlier has read lacks only its last files: no search, and no
// measurement of power.
func AllSearched(run *record.Run, c Config) bool {
	if run.Status == record.Valid || run.Status == record.Unvalidated {
		return true
	}
	of := *run
	of.Failure = ""
	if of.Settle(); of.Status != record.Valid && of.Status != record.Unvalidated {
		return false
	}
	if !c.Search.Power {
		return true
	}
	return !slices.ContainsFunc(run.Kernels(), func(k record.Kernel) bool { return run.Of(k).Power == nil })
}

// WriteLastFiles writes the files of a run for which AllSearched is true, and which has its verdict. The run stays as
// it was made: nothing is generated, built or searched again.
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

// lacksFiles returns nil if a run whose verdict is stored lacks files that follow from it. The error says that it has
// ended, or that its list of searches is another run's.
func lacksFiles(dir string, run *record.Run) error {
	fault := CompareStored(dir, run)
	if fault == nil {
		return ended(dir, run.Status)
	}
	if list, err := readSearches(filepath.Join(dir, searchesFile)); err == nil && !sameSearches(list, run) {
		return contradiction(dir, fault.Error())
	}
	return nil
}

// planRounds sets the numbers of searches of a run in rounds (search.min_time) that was cut off. They are the numbers
// of those that are done, if these are enough. If not, a later round is to come: run.json may be from the first one.
func planRounds(run *record.Run, c Config) {
	if inWholeRounds(run, c) {
		run.Keys = len(run.Of(run.Kernels()[0]).Searches)
		if run.Paths != nil {
			run.Paths.Keys = len(run.Paths.Searches)
		}
		return
	}
	for _, s := range run.Searches {
		run.Keys = max(run.Keys, s.Key+2)
	}
	if run.Paths != nil {
		run.Paths.Keys = max(run.Paths.Keys, run.Keys)
		for _, s := range run.Paths.Searches {
			run.Paths.Keys = max(run.Paths.Keys, s.Key+2)
		}
	}
}

// inWholeRounds reports whether the searches of each kernel of a run are whole rounds of its keys, and have taken the
// time that they were to take (search.min_time). The run then has as many search keys as searches.
func inWholeRounds(run *record.Run, c Config) bool {
	for _, k := range run.Kernels() {
		searches := run.Of(k).Searches
		roots, total := map[int64]bool{}, 0.0
		for _, s := range searches {
			roots[s.Root] = true
			total += s.Seconds
		}
		if len(searches) == 0 || len(searches)%len(roots) != 0 || total < time.Duration(c.Search.MinTime).Seconds() {
			return false
		}
	}
	return true
}
