//go:build cuda && cgo

package cuda

// #include <stdlib.h>
// #include "g500cuda.h"
import "C"

import "unsafe"

// Graph is this rank's share of the searchable structure of kernel 1, in device memory.
type Graph struct {
	c      *C.g500_graph // in C memory: a Search may keep the address
	device *Device
	held   *holding
}

// newGraph enters the graph that fill makes into the ledger.
func (d *Device) newGraph(fill func(*C.g500_graph) C.int) (*Graph, error) {
	c := (*C.g500_graph)(C.calloc(1, C.sizeof_g500_graph))
	if err := check("building the graph", fill(c)); err != nil {
		C.free(unsafe.Pointer(c))
		return nil, d.short(err)
	}
	g := &Graph{c: c, device: d}
	g.held = d.ledger.add(&holding{"graph", g.bytes(), func() error {
		C.g500_graph_free(c)
		C.free(unsafe.Pointer(c))
		return nil
	}})
	return g, nil
}

// bytes is the size of the structure, but for the room that duplicates have left in the columns.
func (g *Graph) bytes() int64 {
	return 3*wordBytes*g.Hubs() + wordBytes*(g.Edges()+g.Owned()) + g.ColRanks().Bytes()
}

// weightedBytes is bytes of a graph with weights.
func (g *Graph) weightedBytes() int64 { return g.bytes() + wordBytes*g.Edges() }

// Hub is the label of the vertex with the lowest hub id. There must be one.
func (g *Graph) Hub() (label uint32, err error) {
	var first [1]uint32
	err = Read(first[:], g.Labels(), 0)
	return first[0], err
}

// Free gives the structure's memory back.
func (g *Graph) Free() error { return g.device.ledger.remove(g.held) }

// Wide reports whether positions and labels are 32-bit words with a half word beside them, which is the rank. A word
// is a hub id then, or a label's number at that rank.
func (g *Graph) Wide() bool { return g.c.col_ranks != nil }

// Shift tells ranks and hub ids apart: the position of a vertex is its rank << Shift | its hub id there.
func (g *Graph) Shift() int { return int(g.c.shift) }

// Ranks is how many ranks share the graph.
func (g *Graph) Ranks() int { return int(g.c.ranks) }

// Rank is this one's number.
func (g *Graph) Rank() int { return int(g.c.rank) }

// Owned is the number of labels that this rank owns.
func (g *Graph) Owned() int64 { return int64(g.c.owned) }

// Vertices is N, the highest label of all ranks plus one.
func (g *Graph) Vertices() int64 { return int64(g.c.vertices) }

// Hubs is V, the number of owned vertices with an edge to another vertex.
func (g *Graph) Hubs() int64 { return int64(g.c.hubs) }

// Edges is E, the number of directed edges that leave them, without duplicates and self-loops, and without those from
// the core to a leaf.
func (g *Graph) Edges() int64 { return int64(g.c.edges) }

// Core is the number of hubs in the core: those that are no leaves, which have one end of a tuple. Hub ids go by
// falling class of degrees, so leaves are the last.
func (g *Graph) Core() int64 { return min(int64(g.c.core), g.Hubs()) }

// CoreEdges is the number of directed edges in the core. Those of leaves, one each, come after them.
func (g *Graph) CoreEdges() int64 { return g.Edges() - (g.Hubs() - g.Core()) }

// Rows holds V+1 64-bit words: where each hub's row in Cols begins, and where the last ends.
func (g *Graph) Rows() Memory {
	return g.device.run(unsafe.Pointer(g.c.rows), 2*wordBytes*(g.Hubs()+1))
}

// Cols holds E 32-bit words: the far ends of each hub's edges, as positions.
func (g *Graph) Cols() Memory { return g.device.run(unsafe.Pointer(g.c.cols), wordBytes*g.Edges()) }

// ColRanks holds E half words, the ranks beside Cols, of a wide graph; it is empty where the graph is not.
func (g *Graph) ColRanks() Memory {
	if !g.Wide() {
		return Memory{}
	}
	return g.device.run(unsafe.Pointer(g.c.col_ranks), rankBytes*g.Edges())
}

// Labels holds V 32-bit words: the label of each hub, of a wide graph its number.
func (g *Graph) Labels() Memory { return g.device.run(unsafe.Pointer(g.c.labels), wordBytes*g.Hubs()) }

// HubOf holds a 32-bit word for each owned label: its hub id, or NoVertex for a vertex without an edge to another.
func (g *Graph) HubOf() Memory {
	return g.device.run(unsafe.Pointer(g.c.hub_of), wordBytes*g.Owned())
}

// NoVertex stands for no vertex in 32-bit words on the device.
const NoVertex = ^uint32(0)

// wordBytes is the size of a label on the device, rankBytes that of a rank beside it.
const (
	wordBytes = 4
	rankBytes = 2
)
