//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"unsafe"
)

// Coloring is a graph in input order on a device, to be coloured.
type Coloring struct {
	allocated
	c        *C.g500_color
	vertices int64
}

// NewColoring copies a graph to the device.
func (d *Device) NewColoring(g LabGraph) (*Coloring, error) {
	c := &Coloring{vertices: int64(len(g.Offsets) - 1)}
	var err error
	c.allocated, err = d.allocate("graph to be coloured", func() error {
		return g.pinned(func(graph *C.g500_lab_graph) error {
			return check("copying a graph to the device", C.g500_color_create(graph, &c.c, d.onStream()))
		})
	}, func() { C.g500_color_free(c.c) })
	if err != nil {
		return nil, err
	}
	return c, nil
}

// ColoringMethod is an algorithm with optimisations, by the names of package lab/color. With a number of rounds some
// vertices may stay without a colour, and each thread begins with consecutive vertices (3-step GM).
type ColoringMethod struct {
	Algorithm     string
	Optimisations []string
	Rounds        int // 0 for no limit
}

var coloringAlgorithms = map[string]C.uint32_t{"data": C.G500_COLOR_DATA, "topology": C.G500_COLOR_TOPOLOGY,
	"jp": C.G500_COLOR_JP, "multihash": C.G500_COLOR_MULTIHASH, "llf": C.G500_COLOR_LLF,
	"csrcolor": C.G500_COLOR_CSRCOLOR}

var coloringOptimisations = map[string]C.uint32_t{"resolve": C.G500_COLOR_RESOLVE, "coarsen": C.G500_COLOR_COARSEN,
	"bitset": C.G500_COLOR_BITSET, "fuse": C.G500_COLOR_FUSE, "ldg": C.G500_COLOR_LDG, "balance": C.G500_COLOR_BALANCE,
	"coarsen-fit": C.G500_COLOR_COARSEN_FIT, "coarsen-resolve": C.G500_COLOR_COARSEN_RESOLVE, "keep": C.G500_COLOR_KEEP}

// ColoringMeasures are what one colouring did.
type ColoringMeasures struct {
	Seconds   float64
	Rounds    int
	Conflicts int64
}

// Run colours the graph, and waits for the end.
func (c *Coloring) Run(w ColoringMethod) (ColoringMeasures, error) {
	method := C.g500_color_method{algorithm: coloringAlgorithms[w.Algorithm], rounds: C.uint32_t(w.Rounds)}
	if w.Rounds > 0 {
		method.partitioned = 1
	}
	for _, name := range w.Optimisations {
		method.optimisations |= coloringOptimisations[name]
	}
	var t C.g500_color_totals
	if err := check("colouring", C.g500_color_run(c.c, &method, &t, c.device.onStream())); err != nil {
		return ColoringMeasures{}, c.device.withHoldings(err)
	}
	return ColoringMeasures{float64(t.nanoseconds) / 1e9, int(t.rounds), int64(t.conflicts)}, nil
}

// Colors returns the colours of the last run: a 32-bit word for each vertex, from 1 on; 0 for none.
func (c *Coloring) Colors() Memory {
	return c.device.memory(unsafe.Pointer(C.g500_color_colors(c.c)), wordBytes*c.vertices)
}
