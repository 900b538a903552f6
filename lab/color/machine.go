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

// Cores colours on CPU cores, with a number of goroutines.
type Cores struct {
	coloring
	clock func() time.Duration
}

// NewCores returns a machine with a number of goroutines.
func NewCores(workers int, clock func() time.Duration) *Cores {
	return &Cores{coloring{workers: workers}, clock}
}

// Name returns the name of the machine.
func (m *Cores) Name() string { return fmt.Sprintf("%d CPU threads", m.workers) }

// Load keeps a graph.
func (m *Cores) Load(g *lab.Graph) error {
	m.g, m.colors = g, make([]uint32, g.Vertices())
	return nil
}

// Color colours the graph with an algorithm.
func (m *Cores) Color(a Algorithm) (lab.ColoringRun, error) {
	if a.onCores == nil {
		return lab.ColoringRun{}, lab.ErrElsewhere
	}
	began := m.clock()
	clear(m.colors)
	m.ColoringRun = lab.ColoringRun{}
	a.onCores(&m.coloring)
	m.Seconds = (m.clock() - began).Seconds()
	return m.ColoringRun, nil
}

// Colors returns the colours of the last run.
func (m *Cores) Colors() ([]uint32, error) { return m.colors, nil }

// Close does nothing.
func (m *Cores) Close() error { return nil }
