// SPDX-License-Identifier: Apache-2.0

// Package powertest has a fake meter for tests.
package powertest

import "time"

// Fake is the meter of a device with constant power. Its counter is exact at each update and constant between updates.
type Fake struct {
	Name   string
	Watts  float64
	Update time.Duration // between two updates
	Fault  error         // of every reading
	Closed bool

	began time.Time // of the first reading
}

// Identity returns the fake's name.
func (f *Fake) Identity() string { return f.Name }

// Source returns the fake's name.
func (f *Fake) Source() string { return "fake meter " + f.Name }

// Covers returns a text with the fake's name.
func (f *Fake) Covers() string { return "nothing real (" + f.Name + ")" }

// Read returns the joules of the last update.
func (f *Fake) Read() (float64, error) {
	if f.began.IsZero() {
		f.began = time.Now()
	}
	return f.Watts * (time.Since(f.began) / f.Update * f.Update).Seconds(), f.Fault
}

// Close sets Closed.
func (f *Fake) Close() error {
	f.Closed = true
	return nil
}
