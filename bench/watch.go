// SPDX-License-Identifier: Apache-2.0

package bench

import "g500/record"

// Watcher receives the progress of a run on one rank. Calls are sequential, except for Advance, which any goroutine may
// call.
type Watcher interface {
	// Nodes receives the name of each rank's node, by rank.
	Nodes(nodes []string)
	// Plan receives the memory that each rank needs, before large allocations.
	Plan(p Plan, ranks int)
	// Step begins a step of total units of work; total is 0 if unknown.
	Step(name string, total int64)
	// Advance receives the finished units of work of the current step.
	Advance(done int64)
	// Done ends the current step and receives its time.
	Done(seconds float64)
	// Searched receives the i-th of n searches.
	Searched(s record.Search, i, n int)
	// Note receives a note of the run (record.Run.Notes).
	Note(text string)
}

// Silent is the Watcher of a run without one. Others embed it.
type Silent struct{}

func (Silent) Nodes([]string)                   {}
func (Silent) Plan(Plan, int)                   {}
func (Silent) Step(string, int64)               {}
func (Silent) Advance(int64)                    {}
func (Silent) Done(float64)                     {}
func (Silent) Searched(record.Search, int, int) {}
func (Silent) Note(string)                      {}
