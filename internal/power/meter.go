package power

// Kind says what a meter reads.
type Kind int

const (
	Counter Kind = iota // the energy drawn since some time, in joules
	Gauge               // the power drawn now, in watts
)

// Meter is the way to one device's energy. Read may be called from any goroutine, one at a time.
type Meter interface {
	// Identity is the same for two meters if they read the same device, be they of one process, one host or not.
	Identity() string
	// Source says what is read and of which device, for people.
	Source() string
	// Covers says what the figure is of, for people: "the card of GPU 0".
	Covers() string
	// Kind says what Read returns.
	Kind() Kind
	// Read returns joules or watts. A device has a new figure now and then; until then the old one comes again.
	Read() (float64, error)
	// Close gives back what the meter holds.
	Close() error
}
