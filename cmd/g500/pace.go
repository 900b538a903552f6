package main

import (
	"fmt"
	"time"
)

// pace estimates how long a step still takes, from the part of its work that was done since it began. What an earlier
// run had done says nothing of that.
type pace struct {
	began   time.Time
	total   int64 // units of work, 0 where that is not known
	done    int64
	earlier int64 // units that were done before the step began
}

// left is the time that the rest takes if it goes on like this; false where nothing is known yet.
func (p pace) left(now time.Time) (time.Duration, bool) {
	own := p.done - p.earlier
	if p.total == 0 || own <= 0 {
		return 0, false
	}
	return time.Duration(float64(now.Sub(p.began)) / float64(own) * float64(p.total-p.done)), true
}

// leftText says how long it still takes, for the end of a sentence; nothing where that is under a second or not known.
func (p pace) leftText(now time.Time) string {
	left, known := p.left(now)
	if !known || left < time.Second {
		return ""
	}
	return fmt.Sprintf(", about %s left", roughly(left))
}

// roughly is a duration with the two units that matter to who waits.
func roughly(d time.Duration) string {
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
