package bench

import "g500/record"

// Watcher is told what a run is doing, as one rank sees it. Its calls come one at a time but for Advance, which may
// come from any goroutine.
type Watcher interface {
	// Hosts tells on which host each rank is, in the order of ranks.
	Hosts(hosts []string)
	// Plan tells what the run needs on each rank, before anything large is allocated.
	Plan(p Plan, ranks int)
	// Step begins a step of total units of work; total is 0 where it is not known.
	Step(name string, total int64)
	// Advance reports how much of the current step's work is done in all.
	Advance(done int64)
	// Done ends the current step and tells how long it took.
	Done(seconds float64)
	// Searched reports the i-th of n searches.
	Searched(s record.Search, i, n int)
	// Note tells something that the reader of the result should know.
	Note(text string)
}

// silent watches where nobody does.
type silent struct{}

func (silent) Hosts([]string)                   {}
func (silent) Plan(Plan, int)                   {}
func (silent) Step(string, int64)               {}
func (silent) Advance(int64)                    {}
func (silent) Done(float64)                     {}
func (silent) Searched(record.Search, int, int) {}
func (silent) Note(string)                      {}
