// SPDX-License-Identifier: Apache-2.0

package power

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
