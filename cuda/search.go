//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "unsafe"

// Search is what kernel 2 needs on the device: columns derived from the graph, and the state of a search.
type Search struct {
	c        *C.g500_search
	device   *Device
	held     *holding
	vertices int64
}

// NewSearch prepares searches of a graph, which must outlive it.
func (g *Graph) NewSearch() (*Search, error) {
	d := g.device
	before, err := d.Free()
	if err != nil {
		return nil, err
	}
	var c *C.g500_search
	if err := check("preparing searches", C.g500_search_create(g.c, &c, d.onStream())); err != nil {
		return nil, d.short(err)
	}
	s := &Search{c: c, device: d, vertices: g.Vertices()}
	s.held = d.made("search", before, func() error {
		C.g500_search_free(c)
		return nil
	})
	return s, d.Synchronize()
}

// Free gives the memory back.
func (s *Search) Free() error { return s.device.ledger.remove(s.held) }

// Run searches from a label and returns when the tree is finished.
func (s *Search) Run(root uint32) error {
	if err := check("starting a search", C.g500_search_run(s.c, C.uint32_t(root), s.device.onStream())); err != nil {
		return err
	}
	return s.device.Synchronize()
}

// Parents is the tree of the last search: for each label its parent's, or NoVertex.
func (s *Search) Parents() Memory {
	return s.device.run(unsafe.Pointer(C.g500_search_parents(s.c)), wordBytes*s.vertices)
}

// Direction is what a step of a search did.
type Direction int

// The steps: a level in one of two directions, or the last pass, which brings the tree into label order.
const (
	TopDown Direction = iota
	BottomUp
	LabelOrder
)

// Level is one step of a search.
type Level struct {
	Direction   Direction
	Frontier    int64 // vertices
	Edges       int64 // that leave the frontier; top-down only
	Nanoseconds int64
}

// mostLevels bounds the levels that a trace tells of.
const mostLevels = 1024

// Trace tells what each step of the last search did. Of a search with very many levels it tells the first.
func (s *Search) Trace() ([]Level, error) {
	levels := make([]C.g500_level, mostLevels)
	var n C.int
	if err := check("reading the trace", C.g500_search_trace(s.c, &levels[0], mostLevels, &n)); err != nil {
		return nil, err
	}
	trace := make([]Level, n)
	for i := range trace {
		l := levels[i]
		trace[i] = Level{Direction(l.direction), int64(l.frontier), int64(l.edges), int64(l.nanoseconds)}
	}
	return trace, nil
}
