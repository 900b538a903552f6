package bench

import "g500/record"

// Watcher receives the progress of a run on one rank. Its calls come one at a time, except for Advance, which may
// come from any goroutine.
type Watcher interface {
	// Nodes receives the name of each rank's node, by rank.
	Nodes(nodes []string)
	// Plan receives the memory that each rank needs, before anything large is allocated.
	Plan(p Plan, ranks int)
	// Step begins a step of total units of work; total is 0 where it is not known.
	Step(name string, total int64)
	// Advance reports how much of the current step's work is done in all.
	Advance(done int64)
	// Done ends the current step, which took that long.
	Done(seconds float64)
	// Searched reports the i-th of n searches.
	Searched(s record.Search, i, n int)
	// Note receives a fact that the reader of the result should know.
	Note(text string)
}

// silent watches where nobody does.
type silent struct{}

func (silent) Nodes([]string)                   {}
func (silent) Plan(Plan, int)                   {}
func (silent) Step(string, int64)               {}
func (silent) Advance(int64)                    {}
func (silent) Done(float64)                     {}
func (silent) Searched(record.Search, int, int) {}
func (silent) Note(string)                      {}
