package power

import (
	"fmt"
	"time"
)

// A figure is given from so many updates of the meter on, and up to that error.
const (
	minUpdates = 20
	maxDoubt   = 0.02
)

// Draw is the mean power of a device over some time.
type Draw struct {
	Watts   float64
	Window  time.Duration // from the first update of the meter that was seen to the last
	Reads   int           // samples
	Updates int           // how often a sample differed from the one before it
	Doubt   float64       // the largest relative error of the watts by the times of updates, beside the meter's own
}

// TooFewError says that a record does not support a figure.
type TooFewError struct {
	Draw
	Period time.Duration // between samples
}

func (e *TooFewError) Error() string {
	if e.Updates < minUpdates {
		return fmt.Sprintf("power: the meter changed %d times in %d readings, and %d changes are the fewest for a figure: "+
			"measure for longer", e.Updates, e.Reads, minUpdates)
	}
	return fmt.Sprintf("power: the error is up to %.1f%% where meters are read every %v for %v, "+
		"and %.0f%% is the most: measure for longer",
		100*e.Doubt, e.Period, e.Window.Round(time.Millisecond), 100*maxDoubt)
}

// Draw works out the mean power between the first and the last update of the meter. What lies outside is left out: a
// counter tells nothing of it. Where the record does not support a figure the error is a *TooFewError.
func (r Record) Draw() (Draw, error) {
	d := Draw{Reads: len(r.Samples)}
	first, last := -1, -1
	for i := 1; i < len(r.Samples); i++ {
		if r.Samples[i].Value == r.Samples[i-1].Value {
			continue
		}
		if d.Updates++; first < 0 {
			first = i
		}
		last = i
	}
	if d.Updates < minUpdates {
		return d, &TooFewError{d, r.Period}
	}
	d.Window = r.Samples[last].To - r.Samples[first].To
	d.Doubt = float64(max(r.doubt(first), r.doubt(last))) / float64(d.Window)
	if d.Doubt > maxDoubt {
		return d, &TooFewError{d, r.Period}
	}
	d.Watts = r.energy(first, last) / d.Window.Seconds()
	if d.Watts < 0 {
		return d, fmt.Errorf("power: the meter of energy went backwards, by %.3g W", -d.Watts)
	}
	return d, nil
}

// doubt is how much before sample i was taken the meter may have changed. Both ends of the window are late by no more
// than their doubt, and early never: the window is wrong by the larger one at most.
func (r Record) doubt(i int) time.Duration { return r.Samples[i].To - r.Samples[i-1].From }

// energy is what was drawn from sample a to sample b, in joules.
func (r Record) energy(a, b int) float64 {
	if r.Kind == Counter {
		return r.Samples[b].Value - r.Samples[a].Value
	}
	sum := 0.0
	for i := a; i < b; i++ {
		between := r.Samples[i+1].To - r.Samples[i].To
		sum += (r.Samples[i].Value + r.Samples[i+1].Value) / 2 * between.Seconds()
	}
	return sum
}
