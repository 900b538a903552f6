package color

import (
	"fmt"
	"time"

	"g500/lab"
)

// Machine colours a graph by algorithms: a GPU, or cores. It has one graph at a time.
type Machine interface {
	// Name is the machine's, for people.
	Name() string
	// Load takes a graph, which is symmetric.
	Load(g *lab.Graph) error
	// Color colours the graph, and times it. An error that is lab.ErrLeftOut says why it does not.
	Color(a Algorithm) (Measures, error)
	// Colors are those of the last colouring, from 1 on.
	Colors() ([]uint32, error)
	// Close gives the machine back.
	Close() error
}

// Measures are what a colouring did.
type Measures struct {
	Seconds   float64 // to the colours in the machine's memory
	Rounds    int     // 0 where there are none
	Conflicts int64   // vertices whose colour was taken back
}

// Cores colours on CPUs.
type Cores struct {
	workers int
	clock   func() time.Duration
	graph   *lab.Graph
	colors  []uint32
}

// NewCores makes a machine of that many goroutines.
func NewCores(workers int, clock func() time.Duration) *Cores {
	return &Cores{workers: workers, clock: clock}
}

// Name is the machine's.
func (m *Cores) Name() string { return fmt.Sprintf("%d CPU threads", m.workers) }

// Load takes a graph.
func (m *Cores) Load(g *lab.Graph) error {
	m.graph, m.colors = g, make([]uint32, g.Vertices())
	return nil
}

// Color colours by an algorithm.
func (m *Cores) Color(a Algorithm) (Measures, error) {
	if a.onCores == nil {
		return Measures{}, lab.ErrElsewhere
	}
	c := coloring{g: m.graph, colors: m.colors, workers: m.workers}
	began := m.clock()
	clear(m.colors)
	a.onCores(&c)
	c.Seconds = (m.clock() - began).Seconds()
	return c.Measures, nil
}

// Colors are those of the last colouring.
func (m *Cores) Colors() ([]uint32, error) { return m.colors, nil }

// Close has nothing to give back.
func (m *Cores) Close() error { return nil }
