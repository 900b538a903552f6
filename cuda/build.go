//go:build cuda && cgo

package cuda

// #include <stdlib.h>
// #include "g500cuda.h"
import "C"

import "unsafe"

// Graph is the searchable structure of kernel 1 in device memory.
type Graph struct {
	c      *C.g500_graph // in C memory: a Search may keep the address
	device *Device
	held   *holding
}

// Build is kernel 1: it makes the structure of count tuples. workBytes bounds what it takes beside the structure
// while it runs.
func (d *Device) Build(tuples *Buffer, count, workBytes int64) (*Graph, error) {
	before, err := d.Free()
	if err != nil {
		return nil, err
	}
	c := (*C.g500_graph)(C.calloc(1, C.sizeof_g500_graph))
	err = check("building the graph", C.g500_build(pointer[C.g500_edge](tuples.address), C.uint64_t(count), C.uint64_t(workBytes), c, d.onStream()))
	if err != nil {
		C.free(unsafe.Pointer(c))
		return nil, d.short(err)
	}
	g := &Graph{c: c, device: d}
	g.held = d.made("graph", before, func() error {
		C.g500_graph_free(c)
		C.free(unsafe.Pointer(c))
		return nil
	})
	return g, nil
}

// Free gives the structure's memory back.
func (g *Graph) Free() error { return g.device.ledger.remove(g.held) }

// Vertices is N, the highest label plus one.
func (g *Graph) Vertices() int64 { return int64(g.c.vertices) }

// Hubs is V, the number of vertices with an edge to another vertex.
func (g *Graph) Hubs() int64 { return int64(g.c.hubs) }

// Edges is E, the number of directed edges, without duplicates and self-loops.
func (g *Graph) Edges() int64 { return int64(g.c.edges) }

// Rows holds V+1 64-bit words: where each hub's row in Cols begins, and where the last ends.
func (g *Graph) Rows() Memory {
	return g.device.run(unsafe.Pointer(g.c.rows), 2*wordBytes*(g.Hubs()+1))
}

// Cols holds E 32-bit words: the far ends of each hub's edges, as hub ids.
func (g *Graph) Cols() Memory { return g.device.run(unsafe.Pointer(g.c.cols), wordBytes*g.Edges()) }

// Labels holds V 32-bit words: the label of each hub.
func (g *Graph) Labels() Memory { return g.device.run(unsafe.Pointer(g.c.labels), wordBytes*g.Hubs()) }

// HubOf holds N 32-bit words: the hub id of each label, or NoVertex for a vertex without an edge to another.
func (g *Graph) HubOf() Memory {
	return g.device.run(unsafe.Pointer(g.c.hub_of), wordBytes*g.Vertices())
}

// NoVertex stands for no vertex in 32-bit words on the device.
const NoVertex = ^uint32(0)

// wordBytes is the size of a label on the device.
const wordBytes = 4
