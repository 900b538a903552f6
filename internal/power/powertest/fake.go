// Package powertest has a fake meter for tests.
package powertest

import (
	"time"

	"g500/internal/power"
)

// Fake is the meter of a device with constant power. Its counter is exact at each update and constant between updates;
// its gauge is alternately 0.1 W too high and 0.1 W too low.
type Fake struct {
	Name   string
	Watts  float64
	Update time.Duration        // between two updates
	Clock  func() time.Duration // nil for the time since the first reading
	Gauge  bool
	Fault  error // of every reading
	Closed bool

	began time.Time
}

// Identity returns the fake's name.
func (f *Fake) Identity() string { return f.Name }

// Source returns the fake's name.
func (f *Fake) Source() string { return "fake meter " + f.Name }

// Covers returns a text with the fake's name.
func (f *Fake) Covers() string { return "nothing real (" + f.Name + ")" }

// Kind returns Gauge or Counter.
func (f *Fake) Kind() power.Kind {
	if f.Gauge {
		return power.Gauge
	}
	return power.Counter
}

// Read returns the joules or watts of the last update.
func (f *Fake) Read() (float64, error) {
	updates := f.now() / f.Update
	if f.Gauge {
		return f.Watts + 0.1*float64(updates%2*2-1), f.Fault
	}
	return f.Watts * (updates * f.Update).Seconds(), f.Fault
}

func (f *Fake) now() time.Duration {
	if f.Clock != nil {
		return f.Clock()
	}
	if f.began.IsZero() {
		f.began = time.Now()
	}
	return time.Since(f.began)
}

// Close sets Closed.
func (f *Fake) Close() error {
	f.Closed = true
	return nil
}
