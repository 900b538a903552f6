// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"g500/settings"
)

// Interrupted is the failure of a run that a signal ended.
const Interrupted = "the run was interrupted"

// ReadEarlier reads the run in a folder to resume it, with the searches in the list of searches. It returns an error if
// nothing is left to resume, or if the files contradict each other. With AllSearched it lacks only files.
func ReadEarlier(dir string) (*Run, error) {
	run, err := Read(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no run to resume in %s (every rank must be able to read the folder): %w", dir, err)
	case err != nil:
		return nil, err
	case run.Contradiction != "":
		return nil, unresumable(dir, run.Contradiction)
	case run.Config == nil:
		return nil, unresumable(dir, File+" has no configuration"+restore)
	}
	list, err := readSearches(dir)
	if run.Status != Incomplete && run.Status != Invalid {
		return run, lacksFiles(dir, run, list)
	}
	if err != nil {
		return nil, err
	}
	for i := range run.Kernels {
		run.Kernels[i].Searches = list[run.Kernels[i].Kernel]
	}
	if run.Config.Search.MinTime > 0 {
		run.planRounds()
	}
	if err := resumable(dir, run); err != nil {
		return nil, err
	}
	if fault := Check(run); fault != nil {
		return nil, unresumable(dir, fmt.Sprintf("%s and %s contradict each other: %v%s", File, SearchesFile, fault, restore))
	}
	return run, nil
}

// unresumable returns the error for a run whose files contradict each other.
func unresumable(dir, why string) error {
	return fmt.Errorf("the run in %s cannot be resumed: %s, or start a new run in another folder", dir, why)
}

// resumable returns an error for a run whose verdict is final, for example after a tree that breaks a rule.
func resumable(dir string, run *Run) error {
	if pipe := run.Pipe(); pipe != "" && !run.AllSearched() {
		return fmt.Errorf("the run in %s read %s, a pipe that cannot be read again, and so it cannot be resumed: "+
			"start a new run", dir, pipe)
	}
	if (run.Status == Incomplete || run.Failure == Interrupted) && run.statusWithoutFailure() != Invalid {
		return nil
	}
	return ended(dir, Invalid)
}

func ended(dir string, status Status) error {
	return fmt.Errorf("the run in %s has ended %s: there is nothing to resume; start a new one in another folder",
		dir, status)
}

// lacksFiles returns nil if a run whose verdict is stored lacks files that follow from it, and an error if it lacks
// none, or if its list of searches belongs to another run.
func lacksFiles(dir string, run *Run, list searchList) error {
	fault := run.CompareFiles(dir)
	if fault == nil {
		return ended(dir, run.Status)
	}
	if list != nil && !list.sameAs(run) {
		return unresumable(dir, fault.Error()+restore)
	}
	return nil
}

// statusWithoutFailure returns the status of the run by its searches alone.
func (r *Run) statusWithoutFailure() Status {
	searched := *r
	searched.Failure = ""
	status, _ := searched.verdict()
	return status
}

// AllSearched reports whether a run from ReadEarlier lacks only files: no search and no measurement of power.
func (r *Run) AllSearched() bool {
	if r.Status == Valid || r.Status == Unvalidated {
		return true
	}
	if status := r.statusWithoutFailure(); status != Valid && status != Unvalidated {
		return false
	}
	return !r.Config.Search.Power || !slices.ContainsFunc(r.Kernels, func(k KernelRun) bool { return k.Power == nil })
}

// planRounds sets the number of planned searches of an interrupted run in rounds (search.min_time): the number of
// finished searches if they have taken min_time, else enough for a later round, because run.json may be from the first.
func (r *Run) planRounds() {
	enough := !slices.ContainsFunc(r.Kernels, func(k KernelRun) bool { return !k.inWholeRounds(r.Config.Search.MinTime) })
	least := 0
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if enough {
			k.Keys = len(k.Searches)
			continue
		}
		for _, s := range k.Searches {
			k.Keys = max(k.Keys, s.Key+2)
		}
		least = max(least, k.Keys)
		k.Keys = least // a later kernel has at least as many rounds as the kernels before
	}
}

// inWholeRounds reports whether the kernel's searches are complete rounds of its keys and have taken that time.
func (k KernelRun) inWholeRounds(enough settings.Duration) bool {
	roots, total := map[int64]bool{}, 0.0
	for _, s := range k.Searches {
		roots[s.Root] = true
		total += s.Seconds
	}
	return len(k.Searches) > 0 && len(k.Searches)%len(roots) == 0 && total >= enough.Seconds()
}

// CheckSameMachine returns an error if the run has searches, and is resumed by another program or on another machine.
func (r *Run) CheckSameMachine(now Environment) error {
	if d := r.Environment.Difference(now); d != nil && r.Done() > 0 {
		return fmt.Errorf("the run to resume had another environment: the %s was %v and is %v; "+
			"resume it where it began, or start a new run", d.Name, d.Was, d.Is)
	}
	return nil
}

// CheckSameSettings returns an error if a run would be resumed with other settings, except for its output: its times
// would be a mixture.
func (r *Run) CheckSameSettings(now Config) error {
	now.Output = r.Config.Output
	var other []string
	for _, s := range settings.Table {
		if was, is := s.Text(r.Config), s.Text(&now); was != is {
			other = append(other, fmt.Sprintf("%s was %s and is %s", s.Key, was, is))
		}
	}
	if other == nil {
		return nil
	}
	return fmt.Errorf("the run to resume was started with other settings: %s; resume it with the same, or start a new run",
		strings.Join(other, ", "))
}
