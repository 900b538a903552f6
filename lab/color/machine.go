// SPDX-License-Identifier: Apache-2.0

package color

import (
	"fmt"
	"strconv"
	"time"

	"g500/lab"
)

// Cores is a machine that colours on CPU cores, with a number of goroutines.
type Cores struct {
	coloring
	algorithm func(*coloring) // of Prepare
	clock     func() time.Duration
}

// NewCores returns a machine with a number of goroutines.
func NewCores(workers int, clock func() time.Duration) *Cores {
	return &Cores{coloring: coloring{workers: workers}, clock: clock}
}

// Name returns the name of the machine.
func (m *Cores) Name() string { return fmt.Sprintf("%d CPU threads", m.workers) }

// Load keeps a graph.
func (m *Cores) Load(g *lab.Graph) error {
	m.g, m.colors = g, make([]uint32, g.Vertices())
	return nil
}

// Prepare chooses the algorithm.
func (m *Cores) Prepare(s lab.Strategy) error {
	m.algorithm = map[string]func(*coloring){"serial": serial, "speculative": speculative,
		"jones-plassmann": jonesPlassmann}[s.Of(lab.CoresKey)]
	if m.algorithm == nil {
		return lab.ErrElsewhere
	}
	m.most, _ = strconv.Atoi(s.Of("rounds")) // 0 without this setting
	return nil
}

// Run colours the graph.
func (m *Cores) Run(uint32) (lab.Measures, error) {
	began := m.clock()
	clear(m.colors)
	m.ColoringRun = lab.ColoringRun{}
	m.algorithm(&m.coloring)
	return lab.Measures{Seconds: (m.clock() - began).Seconds(), Coloring: m.ColoringRun}, nil
}

// Result returns the colours of the last run.
func (m *Cores) Result() (lab.Result, error) { return lab.Result{Colors: m.colors}, nil }

// Close does nothing.
func (m *Cores) Close() error { return nil }
