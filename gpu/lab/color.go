//go:build cuda && cgo

package lab

import (
	"errors"
	"fmt"
	"time"

	"g500/cuda"
	"g500/lab"
	"g500/lab/color"
)

// colorer colours graphs on one GPU.
type colorer struct {
	device   *cuda.Device
	clock    func() time.Duration
	graph    *lab.Graph
	coloring *cuda.Coloring
	colors   []uint32
}

// NewColorer returns a machine on the first GPU. The clock times the part of the host.
func NewColorer(clock func() time.Duration) (color.Machine, error) {
	d, err := cuda.Open(0)
	if err != nil {
		return nil, err
	}
	return &colorer{device: d, clock: clock}, nil
}

// Name returns the name of the GPU.
func (c *colorer) Name() string { return c.device.String() }

// Load copies a graph to the device.
func (c *colorer) Load(g *lab.Graph) (err error) {
	if err := c.free(); err != nil {
		return err
	}
	c.graph, c.colors = g, make([]uint32, g.Vertices())
	c.coloring, err = c.device.NewColoring(cuda.LabGraph{Offsets: g.Offsets, Columns: g.Columns, Symmetric: true})
	return err
}

func (c *colorer) free() (err error) {
	if c.coloring != nil {
		err = c.coloring.Free()
	}
	c.coloring = nil
	return err
}

// Color colours the graph with an algorithm. If a core colours the remaining vertices, the time includes its work and
// the copy to the host, but not the copy back.
func (c *colorer) Color(a color.Algorithm) (m lab.ColoringRun, err error) {
	if a.Kernel == "" {
		return m, lab.ErrElsewhere
	}
	began := c.clock()
	measures, err := c.coloring.Run(cuda.ColoringMethod{Algorithm: a.Kernel, Optimisations: a.Optimisations,
		Rounds: a.Rounds})
	var fault *cuda.Error
	if errors.As(err, &fault) && fault.Code == cuda.OutOfMemory {
		return m, fmt.Errorf("%w: the GPU lacks memory for it", lab.ErrLeftOut)
	}
	if errors.As(err, &fault) && fault.Code == cuda.NotSupported {
		return m, fmt.Errorf("%w: it needs the library cuSPARSE with csrcolor, and fewer than 2^31 edges", lab.ErrLeftOut)
	}
	if err != nil {
		return m, err
	}
	m = lab.ColoringRun{Seconds: measures.Seconds, Rounds: measures.Rounds, Conflicts: measures.Conflicts}
	if a.Rounds == 0 {
		return m, nil
	}
	if err := cuda.Read(c.colors, c.coloring.Colors(), 0); err != nil {
		return m, err
	}
	color.Finish(c.graph, c.colors)
	m.Seconds = (c.clock() - began).Seconds()
	return m, cuda.Write(c.coloring.Colors(), 0, c.colors)
}

// Colors copies the colours to the host.
func (c *colorer) Colors() ([]uint32, error) {
	return c.colors, cuda.Read(c.colors, c.coloring.Colors(), 0)
}

// Close frees all memory and the GPU.
func (c *colorer) Close() error { return errors.Join(c.free(), c.device.Close()) }
