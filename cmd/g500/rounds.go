package main

import (
	"time"

	"g500/record"
)

// rounds limits the lines of a run with --min-time: one line per search of the first round, then one every few seconds,
// because small graphs are searched thousands of times.
type rounds struct {
	keys    int       // searches of the first round, 0 before the first search
	printed time.Time // when the last line was printed
}

// betweenRounds is the least time between two lines after the first round.
const betweenRounds = 10 * time.Second

// again returns the number of the search's round, and 0 in the first round of this process. n is the number of searches
// up to the end of the round.
func (r *rounds) again(s record.Search, n int) int {
	if r.keys == 0 {
		r.keys = n
	}
	if s.Key < r.keys {
		return 0
	}
	return s.Key/r.keys + 1
}

// due reports whether a line is due, and stores its time.
func (r *rounds) due(now time.Time) bool {
	if now.Sub(r.printed) < betweenRounds {
		return false
	}
	r.printed = now
	return true
}
