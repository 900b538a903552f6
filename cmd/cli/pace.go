// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"time"

	"g500/record"
)

// pace estimates the remaining time of a step from its work so far, without the work of an earlier run.
type pace struct {
	began   time.Time
	total   int64 // units of work, 0 if unknown
	done    int64
	earlier int64 // units that were done before the step began
}

// left returns the remaining time at the same pace; false if there is no estimate yet.
func (p pace) left(now time.Time) (time.Duration, bool) {
	own := p.done - p.earlier
	if p.total == 0 || own <= 0 {
		return 0, false
	}
	return time.Duration(float64(now.Sub(p.began)) / float64(own) * float64(p.total-p.done)), true
}

// leftText returns the remaining time as the end of a sentence; "" below one second or without an estimate.
func (p pace) leftText(now time.Time) string {
	left, known := p.left(now)
	if !known || left < time.Second {
		return ""
	}
	return fmt.Sprintf(", about %s left", Roughly(left))
}

// Roughly returns a duration in at most two units.
func Roughly(d time.Duration) string {
	hours, minutes, seconds := d/time.Hour, d%time.Hour/time.Minute, d%time.Minute/time.Second
	switch {
	case hours > 0:
		return fmt.Sprintf("%d h %d min", hours, minutes)
	case minutes > 9:
		return fmt.Sprintf("%d min", minutes)
	case minutes > 0:
		return fmt.Sprintf("%d min %d s", minutes, seconds)
	}
	return fmt.Sprintf("%d s", seconds)
}

// batch is a number of searches with the times of the fastest and the slowest one, in seconds.
type batch struct {
	n                int
	fastest, slowest float64
}

func (b *batch) add(seconds float64) {
	if b.n++; b.n == 1 {
		b.fastest, b.slowest = seconds, seconds
	}
	b.fastest, b.slowest = min(b.fastest, seconds), max(b.slowest, seconds)
}

// rounds limits the lines of searches: in the first round one for some searches or ten seconds, in further rounds of a
// run with --min-time one every ten seconds, because small graphs are searched thousands of times.
type rounds struct {
	first   int       // searches up to the end of this process's first round, 0 before its first search
	keys    int       // searches of a round, 0 in the first one
	printed time.Time // when the last line was printed, or the step began
}

// betweenLines is the time after which a line is due.
const betweenLines = 10 * time.Second

// again returns the number of the search's round, and 0 in the first round of this process. n is the number of searches
// up to the end of the round.
func (r *rounds) again(s record.Search, n int) int {
	if r.first == 0 {
		r.first = n
	}
	if n == r.first {
		return 0
	}
	r.keys = cmp.Or(r.keys, n-r.first)
	return s.Key/r.keys + 1
}

// due reports whether a line is due, and stores its time.
func (r *rounds) due(now time.Time) bool {
	if now.Sub(r.printed) < betweenLines {
		return false
	}
	r.printed = now
	return true
}
