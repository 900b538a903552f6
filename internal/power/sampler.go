// SPDX-License-Identifier: Apache-2.0

package power

import (
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
	stop   chan struct{}
	ended  chan struct{}
	record Record
	err    error
	fault  error // of a panic
}

// Start reads a meter at once and after each period. clock returns the time since a fixed moment; only the sampler's
// goroutine calls it.
func Start(m Meter, period time.Duration, clock func() time.Duration) *Sampler {
	s := &Sampler{stop: make(chan struct{}), ended: make(chan struct{}), record: Record{Period: period}}
	go panics.Catch(func() { s.sample(m, clock) }, func(fault error) { s.fault = fault; close(s.ended) })
	return s
}

// Stop ends the sampling and returns the samples. The first error of a reading ends the sampling, too; Stop returns it.
func (s *Sampler) Stop() (Record, error) {
	close(s.stop)
	<-s.ended
	panics.Raise(s.fault)
	return s.record, s.err
}

func (s *Sampler) sample(m Meter, clock func() time.Duration) {
	ticker := time.NewTicker(s.record.Period)
	defer ticker.Stop()
	for {
		from := clock()
		value, err := m.Read()
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
