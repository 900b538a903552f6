package record

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Settle sets Status and Reason from the searches and Failure. It may be called after every search.
func (r *Run) Settle() { r.Status, r.Reason = r.judge() }

// Verdict is the run's last line: VALID, or INVALID with the reason. It is one line whatever the reason holds.
func (r *Run) Verdict() string {
	status, reason := r.judge()
	switch status {
	case Valid:
		return string(Valid)
	case Incomplete:
		reason = fmt.Sprintf("incomplete, %d of %d searches done: %s", r.Done(), r.planned(), reason)
	}
	return "INVALID: " + strings.Join(strings.Fields(reason), " ")
}

// judge checks the gravest faults first: a record that cannot be true, a broken rule, missing searches, results without
// validation.
func (r *Run) judge() (Status, string) {
	if r.Contradiction != "" {
		return Inconsistent, r.Contradiction
	}
	if fault := r.firstFault(); fault != "" {
		return Invalid, fault
	}
	switch skipped := r.unvalidated(); {
	case r.Keys == 0:
		return Invalid, cmp.Or(r.Failure, "there is no search key: no vertex has an edge to another vertex")
	case slices.ContainsFunc(r.parts(), part.incomplete):
		return Incomplete, cmp.Or(r.Failure, "the run did not reach its end")
	case r.Failure != "":
		return Invalid, r.Failure
	case skipped > 0:
		return Unvalidated, fmt.Sprintf("the trees were not validated (%d of %d)", skipped, r.planned())
	}
	return Valid, ""
}

func (p part) incomplete() bool { return len(p.searches) < p.keys }

// firstFault names the first search that spoils the run, its root and what is wrong with it; "" if none does.
func (r *Run) firstFault() string {
	for _, p := range r.parts() {
		seen := make(map[int]bool, len(p.searches))
		for _, s := range p.searches {
			fault := s.fault()
			if seen[s.Key] {
				fault = "it was searched twice"
			} else if s.Key < 0 || s.Key >= p.keys {
				fault = fmt.Sprintf("the run has only %d search keys", p.keys)
			}
			if fault != "" {
				return fmt.Sprintf("search key %d (root %d): %s", s.Key, s.Root, fault)
			}
			seen[s.Key] = true
		}
	}
	return ""
}

// fault is the rule that the tree breaks, or what makes a rate of the search meaningless; "" if all is well.
func (s Search) fault() string {
	switch {
	case s.Fault != "":
		return s.Fault
	case !(s.Seconds > 0) || math.IsInf(s.Seconds, 1):
		return fmt.Sprintf("its time of %g s is not a time", s.Seconds)
	case s.validated() && s.Edges <= 0:
		return "no edge was counted in its component"
	}
	return ""
}

func (s Search) validated() bool { return s.ValidateSeconds >= 0 }

func (r *Run) unvalidated() int {
	n := 0
	for _, p := range r.parts() {
		for _, s := range p.searches {
			if !s.validated() {
				n++
			}
		}
	}
	return n
}
