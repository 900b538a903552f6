// Package powertest has a meter for tests, of a device that draws what it is told to.
package powertest

import (
	"time"

	"g500/internal/power"
)

// Fake is a device that draws steady power. Its counter is right at each update and stands still between two; its gauge
// is a tenth of a watt too high and too low by turns.
type Fake struct {
	Name   string
	Watts  float64
	Update time.Duration        // between two updates
	Clock  func() time.Duration // nil for one that begins with the first reading
	Gauge  bool
	Fault  error // of every reading
	Closed bool

	began time.Time
}

// Identity is the fake's name.
func (f *Fake) Identity() string { return f.Name }

// Source is the fake's name.
func (f *Fake) Source() string { return "fake meter " + f.Name }

// Covers is nothing real.
func (f *Fake) Covers() string { return "nothing real (" + f.Name + ")" }

// Kind is as the fake was told.
func (f *Fake) Kind() power.Kind {
	if f.Gauge {
		return power.Gauge
	}
	return power.Counter
}

// Read is joules or watts of the last update.
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

// Close notes that it was called.
func (f *Fake) Close() error {
	f.Closed = true
	return nil
}
