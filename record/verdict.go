// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"g500/internal/lists"
)

// Settle sets Status, Reason and the statistics of each kernel from the searches and Failure. It may be called after
// every search.
func (r *Run) Settle() {
	r.Status, r.Reason = r.verdict()
	for i := range r.Kernels {
		r.Kernels[i].Statistics = r.Statistics(r.Kernels[i])
	}
}

// Verdict returns the last line of the run's output: VALID, or INVALID with the reason. It is always one line.
func (r *Run) Verdict() string {
	status, reason := r.verdict()
	switch status {
	case Valid:
		return string(Valid)
	case Incomplete:
		reason = fmt.Sprintf("incomplete, %d of %d searches done: %s", r.Done(), r.planned(), reason)
	}
	return "INVALID: " + strings.Join(strings.Fields(reason), " ")
}

// verdict returns the status by the gravest fault: a record that contradicts itself, a broken rule, missing searches,
// or results without validation.
func (r *Run) verdict() (Status, string) {
	if r.Contradiction != "" {
		return Inconsistent, r.Contradiction
	}
	if fault := r.firstFault(); fault != "" {
		return Invalid, fault
	}
	switch skipped := r.unvalidated(); {
	case len(r.Kernels) == 0, slices.ContainsFunc(r.Kernels, func(k KernelRun) bool { return k.Keys < 1 }):
		return Invalid, cmp.Or(r.Failure,
			"there is no search key, because no vertex has an edge to another vertex: choose another graph")
	case slices.ContainsFunc(r.Kernels, func(k KernelRun) bool { return len(k.Searches) < k.Keys }):
		return Incomplete, cmp.Or(r.Failure, "the run did not reach its end")
	case r.Failure != "":
		return Invalid, r.Failure
	case skipped > 0:
		return Unvalidated, fmt.Sprintf("the trees were not validated (%d of %d)", skipped, r.planned())
	}
	return Valid, ""
}

// firstFault describes the first search that makes the run invalid, "" if there is none.
func (r *Run) firstFault() string {
	for _, k := range r.Kernels {
		seen := make(map[int]bool, len(k.Searches))
		for _, s := range k.Searches {
			fault := s.fault()
			if seen[s.Key] {
				fault = "it was searched twice"
			} else if s.Key < 0 || s.Key >= k.Keys {
				fault = fmt.Sprintf("the run has only %d search keys", k.Keys)
			}
			if fault != "" {
				return fmt.Sprintf("search key %d (root %d): %s", s.Key, s.Root, fault)
			}
			seen[s.Key] = true
		}
	}
	return ""
}

// fault returns the rule that the tree breaks, or the reason why the search has no rate, "" if it has one.
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
	return lists.Sum(r.Kernels, func(k KernelRun) int {
		return len(k.Searches) - len(lists.Where(k.Searches, Search.validated))
	})
}
