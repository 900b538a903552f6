package main

import (
	"time"

	"g500/record"
)

// rounds thins out the lines of a run with --min-time: each search of the first round has a line; after it a line comes
// every few seconds, since small graphs are searched many thousand times.
type rounds struct {
	keys int       // searches of the first round, 0 before the first search
	said time.Time // when the last line was printed
}

// betweenRounds is the least time between two lines after the first round.
const betweenRounds = 10 * time.Second

// again returns the number of the round to which a search belongs, from 2, and 0 in the first round of this process. n
// is the number of searches up to the end of the round.
func (r *rounds) again(s record.Search, n int) int {
	if r.keys == 0 {
		r.keys = n
	}
	if s.Key < r.keys {
		return 0
	}
	return s.Key/r.keys + 1
}

// due reports whether it is time for a line, and notes that it is printed.
func (r *rounds) due(now time.Time) bool {
	if now.Sub(r.said) < betweenRounds {
		return false
	}
	r.said = now
	return true
}
