// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package lab

// #include "color/color.h"
import "C"

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"g500/cuda"
	"g500/lab"
	"g500/lab/color"
)

// colorer colours graphs on one GPU.
type colorer struct {
	held   // of c
	clock  func() time.Duration
	graph  *lab.Graph
	c      *C.g500_color
	colors []uint32
}

// The algorithms, optimisations and variants by the names of package lab/color.
var (
	coloringAlgorithms = map[string]C.uint32_t{"data": C.G500_COLOR_DATA, "topology": C.G500_COLOR_TOPOLOGY,
		"jp": C.G500_COLOR_JP, "multihash": C.G500_COLOR_MULTIHASH, "llf": C.G500_COLOR_LLF,
		"csrcolor": C.G500_COLOR_CSRCOLOR}
	coloringOptimisations = map[string]C.uint32_t{"resolve": C.G500_COLOR_RESOLVE, "coarsen": C.G500_COLOR_COARSEN,
		"bitset": C.G500_COLOR_BITSET, "fuse": C.G500_COLOR_FUSE, "ldg": C.G500_COLOR_LDG,
		"balance": C.G500_COLOR_BALANCE, "coarsen-fit": C.G500_COLOR_COARSEN_FIT,
		"coarsen-resolve": C.G500_COLOR_COARSEN_RESOLVE, "keep": C.G500_COLOR_KEEP}
)

// Reasons to leave an algorithm out.
var (
	errNoMemory  = fmt.Errorf("%w: the GPU lacks memory for it", lab.ErrLeftOut)
	errNoLibrary = fmt.Errorf("%w: it needs the library cuSPARSE with csrcolor, and fewer than 2^31 edges", lab.ErrLeftOut)
)

// NewColorer returns a machine on the first GPU. The clock times the part of the host.
func NewColorer(clock func() time.Duration) (color.Machine, error) {
	d, err := cuda.Open(0)
	if err != nil {
		return nil, err
	}
	return &colorer{held: held{device: d}, clock: clock}, nil
}

// Name returns the name of the GPU.
func (c *colorer) Name() string { return c.device.String() }

// Load copies a graph to the device.
func (c *colorer) Load(g *lab.Graph) error {
	if err := c.free(); err != nil {
		return err
	}
	c.graph, c.colors = g, make([]uint32, g.Vertices())
	return c.hold(g, "graph to be coloured", "copying a graph to the device", func(graph *C.g500_lab_graph) C.int {
		return C.g500_color_create(graph, &c.c, c.device.Stream())
	}, func() { C.g500_color_free(c.c) })
}

// Color colours the graph with an algorithm. If a core colours the remaining vertices, the time includes its work and
// the copy to the host, but not the copy back.
func (c *colorer) Color(a color.Algorithm) (m lab.ColoringRun, err error) {
	if a.Kernel == "" {
		return m, lab.ErrElsewhere
	}
	began := c.clock()
	method := C.g500_color_method{algorithm: coloringAlgorithms[a.Kernel], rounds: C.uint32_t(a.Rounds)}
	if a.Rounds > 0 {
		method.partitioned = 1 // each thread begins with consecutive vertices, as in 3-step GM
	}
	for _, name := range a.Optimisations {
		method.optimisations |= coloringOptimisations[name]
	}
	var t C.g500_color_totals
	err = c.check("colouring", C.g500_color_run(c.c, &method, &t, c.device.Stream()))
	err = leftOut(err, cuda.OutOfMemory, errNoMemory)
	err = leftOut(err, cuda.NotSupported, errNoLibrary)
	m = lab.ColoringRun{Seconds: float64(t.nanoseconds) / 1e9, Rounds: int(t.rounds), Conflicts: int64(t.conflicts)}
	if err != nil || a.Rounds == 0 {
		return m, err
	}
	if _, err := c.Colors(); err != nil {
		return m, err
	}
	color.Finish(c.graph, c.colors)
	m.Seconds = (c.clock() - began).Seconds()
	return m, cuda.Write(c.onDevice(), 0, c.colors)
}

// onDevice returns the colours on the device, from 1 on; 0 for none.
func (c *colorer) onDevice() cuda.Memory {
	return c.device.At(unsafe.Pointer(C.g500_color_colors(c.c)), 4*int64(len(c.colors)))
}

// Colors copies the colours to the host.
func (c *colorer) Colors() ([]uint32, error) { return c.colors, cuda.Read(c.colors, c.onDevice(), 0) }

// Close frees all memory and the GPU.
func (c *colorer) Close() error { return errors.Join(c.free(), c.device.Close()) }
