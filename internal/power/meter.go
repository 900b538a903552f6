package power

// Kind is the quantity that a meter reads.
type Kind int

const (
	Counter Kind = iota // energy since an unknown time, in joules
	Gauge               // present power, in watts
)

// Meter reads the energy or power of one device. Read may be called from any goroutine, one at a time.
type Meter interface {
	// Identity returns the same text for two meters of the same device, in any process and container.
	Identity() string
	// Source describes the counter or gauge and its device, for people.
	Source() string
	// Covers describes the measured hardware, for people: "the card of GPU 0".
	Covers() string
	// Kind returns the quantity of Read.
	Kind() Kind
	// Read returns joules or watts. Between two updates of the device it returns the same value.
	Read() (float64, error)
	// Close releases the resources of the meter.
	Close() error
}
