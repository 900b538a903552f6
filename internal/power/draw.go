// SPDX-License-Identifier: Apache-2.0

package power

import (
	"fmt"
	"time"
)

// A record supports a result with at least minUpdates updates and at most maxDoubt relative error.
const (
	minUpdates = 20
	maxDoubt   = 0.02
)

// Draw is the mean power of a device over some time.
type Draw struct {
	Watts   float64
	Window  time.Duration // from the first to the last observed update of the meter
	Reads   int           // samples
	Updates int           // number of samples that differed from the sample before
	Doubt   float64       // largest relative error by the times of updates, without the meter's own error
}

// Draw returns the mean power between the first and the last update of the meter; the energy before and after them is
// unknown. It returns an error if the record does not support a result.
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
		return d, fmt.Errorf("the meter changed %d times in %d readings, and a result needs at least %d changes: "+
			"measure for longer", d.Updates, d.Reads, minUpdates)
	}
	d.Window = r.Samples[last].To - r.Samples[first].To
	d.Doubt = float64(max(r.doubt(first), r.doubt(last))) / float64(d.Window)
	if d.Doubt > maxDoubt {
		return d, fmt.Errorf("the error is up to %.1f%% with readings every %v for %v, and at most %.0f%% is allowed"+
			": measure for longer", 100*d.Doubt, r.Period, d.Window.Round(time.Millisecond), 100*maxDoubt)
	}
	d.Watts = (r.Samples[last].Value - r.Samples[first].Value) / d.Window.Seconds()
	if d.Watts < 0 {
		return d, fmt.Errorf("the energy counter went backwards, by %.3g W", -d.Watts)
	}
	return d, nil
}

// doubt returns how long before sample i the meter may have changed. Each end of the window is late by at most its
// doubt, and never early, so the error of the window is at most the larger doubt.
func (r Record) doubt(i int) time.Duration { return r.Samples[i].To - r.Samples[i-1].From }
