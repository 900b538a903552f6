// SPDX-License-Identifier: Apache-2.0

package color

import (
	"fmt"
	"strings"
	"time"

	"g500/lab"
)

// Machine colours symmetric graphs.
type Machine interface {
	lab.Loader
	// Color colours the graph and measures all but the number of colours. An error that wraps lab.ErrLeftOut has the
	// reason why the machine does not run the algorithm.
	Color(a Algorithm) (lab.ColoringRun, error)
	// Colors returns the colours of the last run, from 1 on, until the next one.
	Colors() ([]uint32, error)
}

// GPU colours by the kernels of cuda/color in a child process, on a GPU or an emulated one.
type GPU struct{ *lab.Child }

// Color colours the graph with an algorithm.
func (m GPU) Color(a Algorithm) (lab.ColoringRun, error) {
	if a.Kernel == "" {
		return lab.ColoringRun{}, lab.ErrElsewhere
	}
	return m.Child.Color(strings.Join(append([]string{a.Kernel}, a.Optimisations...), "+"), a.Rounds)
}

// Cores colours on CPU cores.
type Cores struct {
	workers int
	clock   func() time.Duration
	graph   *lab.Graph
	colors  []uint32
}

// NewCores returns a machine with a number of goroutines.
func NewCores(workers int, clock func() time.Duration) *Cores {
	return &Cores{workers: workers, clock: clock}
}

// Name returns the name of the machine.
func (m *Cores) Name() string { return fmt.Sprintf("%d CPU threads", m.workers) }

// Load keeps a graph.
func (m *Cores) Load(g *lab.Graph) error {
	m.graph, m.colors = g, make([]uint32, g.Vertices())
	return nil
}

// Color colours the graph with an algorithm.
func (m *Cores) Color(a Algorithm) (lab.ColoringRun, error) {
	if a.onCores == nil {
		return lab.ColoringRun{}, lab.ErrElsewhere
	}
	c := coloring{g: m.graph, colors: m.colors, workers: m.workers}
	began := m.clock()
	clear(m.colors)
	a.onCores(&c)
	c.Seconds = (m.clock() - began).Seconds()
	return c.ColoringRun, nil
}

// Colors returns the colours of the last run.
func (m *Cores) Colors() ([]uint32, error) { return m.colors, nil }

// Close does nothing.
func (m *Cores) Close() error { return nil }
