// SPDX-License-Identifier: Apache-2.0

package power

import (
	"fmt"
	"time"

	"g500/internal/panics"
)

// Sample is a reading of a meter.
type Sample struct {
	From, To time.Duration // start and end of the reading on the sampler's clock
	Value    float64       // joules
}

// Record has the samples of a sampler.
type Record struct {
	Period  time.Duration // requested time between two samples
	Samples []Sample
}

// Sampler reads a meter in its own goroutine.
type Sampler struct {
	Meter
	stop   chan struct{}
	ended  chan struct{}
	record Record
	err    error
	fault  error // of a panic
}

// Start reads a meter at once and after each period. clock returns the time since a fixed moment; only the sampler's
// goroutine calls it.
func Start(m Meter, period time.Duration, clock func() time.Duration) *Sampler {
	s := &Sampler{Meter: m, stop: make(chan struct{}), ended: make(chan struct{}), record: Record{Period: period}}
	go panics.Catch(func() { s.sample(clock) }, func(fault error) { s.fault = fault; close(s.ended) })
	return s
}

// Stop ends the sampling and returns the samples. The first error of a reading ends the sampling, too; Stop returns it.
func (s *Sampler) Stop() (Record, error) {
	close(s.stop)
	<-s.ended
	panics.Raise(s.fault)
	return s.record, s.err
}

func (s *Sampler) sample(clock func() time.Duration) {
	ticker := time.NewTicker(s.record.Period)
	defer ticker.Stop()
	for {
		from := clock()
		value, err := s.Read()
		if err != nil {
			s.err = err
			return
		}
		s.record.Samples = append(s.record.Samples, Sample{from, clock(), value})
		select {
		case <-s.stop:
			return
		case <-ticker.C:
		}
	}
}

// Meter reads the energy counter of one device. Read may be called from any goroutine, one at a time.
type Meter interface {
	// Identity returns the same text for two meters of the same device, in any process and container.
	Identity() string
	// Source describes the counter and its device, for people.
	Source() string
	// Covers describes the measured hardware, for people: "the card of GPU 0".
	Covers() string
	// Read returns joules since an unknown time. Between two updates of the device it returns the same value.
	Read() (float64, error)
	// Close releases the resources of the meter.
	Close() error
}

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
