package power

import (
	"time"
)

// Sample is a figure that was read.
type Sample struct {
	From, To time.Duration // on the sampler's clock: just before it was read, and just after
	Value    float64       // joules or watts
}

// Record is what a sampler has read.
type Record struct {
	Kind    Kind
	Period  time.Duration // between two samples, as it was asked for
	Samples []Sample
}

// Sampler reads a meter in a goroutine of its own.
type Sampler struct {
	stop   chan struct{}
	ended  chan struct{}
	record Record
	err    error
}

// Start begins to read a meter, and does so again after each period. The clock tells the time since some moment; it is
// called by the sampler's goroutine alone.
func Start(m Meter, period time.Duration, clock func() time.Duration) *Sampler {
	s := &Sampler{stop: make(chan struct{}), ended: make(chan struct{}), record: Record{Kind: m.Kind(), Period: period}}
	go s.sample(m, clock)
	return s
}

// Stop ends the sampling and returns what was read. An error is that of the first reading that failed, which was the
// last.
func (s *Sampler) Stop() (Record, error) {
	close(s.stop)
	<-s.ended
	return s.record, s.err
}

func (s *Sampler) sample(m Meter, clock func() time.Duration) {
	defer close(s.ended)
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
