// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include <stdlib.h>
// #include "g500cuda.h"
import "C"

import "unsafe"

// Graph is this rank's share of the graph that kernel 1 builds, in device memory. A vertex is isolated without an edge
// to another vertex, and a leaf if it is one end of a single tuple; directed graphs have no leaves. Each rank orders
// its non-isolated vertices by falling degree class, and a vertex's local id is its place in this order. Therefore the
// leaves are last; the other vertices with the edges between them are the non-leaf subgraph. A vertex's packed global
// id consists of its MPI rank and its local id.
type Graph struct {
	Allocated
	c *C.g500_graph // in C memory, because a Search may keep the address
}

// newGraph enters the graph that fill makes into the ledger.
func (d *Device) newGraph(fill func(*C.g500_graph) C.int) (*Graph, error) {
	c := (*C.g500_graph)(C.calloc(1, C.sizeof_g500_graph))
	if err := check("building the graph", fill(c)); err != nil {
		C.free(unsafe.Pointer(c))
		return nil, d.Explain(err)
	}
	g := &Graph{c: c}
	g.Allocated = d.hold("graph", g.bytes(), func() {
		C.g500_graph_free(c)
		C.free(unsafe.Pointer(c))
	})
	return g, nil
}

// bytes returns the size of the structure, without the memory of removed duplicates.
func (g *Graph) bytes() int64 {
	rows := wordBytes*g.Edges() + g.ColRanks().Bytes()
	if g.c.packed != nil {
		rows = g.Packed() + 2*wordBytes*g.NonIsolated()
	}
	return rows + 3*wordBytes*g.NonIsolated() + wordBytes*g.Owned()
}

// Packed returns the bytes of packed rows, without their addresses, or 0. Packed rows are not in Cols.
func (g *Graph) Packed() int64 { return int64(C.g500_packed_bytes(g.c)) }

// PackedRows returns the addresses of packed rows (kAddressBits in packed_row.cuh), and the arrays with the rows.
func (g *Graph) PackedRows() (addresses Memory, chunks []Memory) {
	for i := range C.g500_packed_chunks(g.c) {
		var bytes C.uint64_t
		at := C.g500_packed_chunk(g.c, i, &bytes)
		chunks = append(chunks, g.device.At(at, int64(bytes)))
	}
	return g.device.At(unsafe.Pointer(g.c.packed), 2*wordBytes*g.NonIsolated()), chunks
}

// FirstLabel returns the label of the vertex with local id 0. There must be one.
func (g *Graph) FirstLabel() (label uint32, err error) {
	var first [1]uint32
	err = Read(first[:], g.Labels(), 0)
	return first[0], err
}

// Labels64 reports whether labels may exceed 32 bits: the word of a label is the label divided by the number of ranks.
func (g *Graph) Labels64() bool { return g.c.labels64 != 0 }

// IDs64 reports whether packed global ids have 64 bits, as labels then do: a 32-bit local id and a 16-bit rank.
func (g *Graph) IDs64() bool { return g.c.part64 != 0 }

// Shift returns the number of bits of local ids in 32-bit ids: a vertex's id is rank << Shift | local id.
func (g *Graph) Shift() int { return int(g.c.shift) }

// Ranks returns the number of ranks that share the graph.
func (g *Graph) Ranks() int { return int(g.c.ranks) }

// Rank returns this rank's number.
func (g *Graph) Rank() int { return int(g.c.rank) }

// Owned returns the number of labels that this rank owns.
func (g *Graph) Owned() int64 { return int64(g.c.owned) }

// Vertices returns the highest label of all ranks plus one.
func (g *Graph) Vertices() int64 { return int64(g.c.vertices) }

// NonIsolated returns the number of owned non-isolated vertices.
func (g *Graph) NonIsolated() int64 { return int64(g.c.non_isolated) }

// Edges returns the number of directed edges from these vertices, without duplicates, self-loops and edges from the
// non-leaf subgraph to leaves.
func (g *Graph) Edges() int64 { return int64(g.c.edges) }

// NonLeaves returns the number of owned vertices in the non-leaf subgraph, whose local ids are the lowest.
func (g *Graph) NonLeaves() int64 { return min(int64(g.c.first_leaf), g.NonIsolated()) }

// NonLeafEdges returns the number of directed edges in the non-leaf subgraph. The edges of leaves, one each, follow
// them.
func (g *Graph) NonLeafEdges() int64 { return g.Edges() - (g.NonIsolated() - g.NonLeaves()) }

// Rows returns the 64-bit offsets in Cols at which the rows of non-isolated vertices begin, and the end of the last.
func (g *Graph) Rows() Memory {
	return g.device.At(unsafe.Pointer(g.c.rows), 2*wordBytes*(g.NonIsolated()+1))
}

// Cols returns the 32-bit words of the neighbours' packed global ids, row by row.
func (g *Graph) Cols() Memory { return g.device.At(unsafe.Pointer(g.c.cols), wordBytes*g.Edges()) }

// ColRanks returns the 16-bit ranks of 64-bit ids in Cols. It is empty for 32-bit ids.
func (g *Graph) ColRanks() Memory {
	if !g.IDs64() {
		return Memory{}
	}
	return g.device.At(unsafe.Pointer(g.c.col_ranks), rankBytes*g.Edges())
}

// Labels returns the 32-bit words of the labels of non-isolated vertices.
func (g *Graph) Labels() Memory {
	return g.device.At(unsafe.Pointer(g.c.labels), wordBytes*g.NonIsolated())
}

// LocalIDs returns the local ids of owned labels in 32-bit words, NoVertex for isolated vertices.
func (g *Graph) LocalIDs() Memory {
	return g.device.At(unsafe.Pointer(g.c.local_ids), wordBytes*g.Owned())
}

// LeafEnds returns the number of owned leaves whose neighbour is a leaf, too.
func (g *Graph) LeafEnds() (n int64, err error) {
	var ends C.uint64_t
	err = check("counting leaves", C.g500_count_leaf_ends(g.c, &ends, g.device.onStream()))
	return int64(ends), err
}

// Directed reports whether a row has only the ends of edges from its vertex.
func (g *Graph) Directed() bool { return bool(g.c.directed) }

// Connected returns a bit for each owned label, which is set if the vertex is not isolated; in a directed graph, if it
// has edges to other vertices.
func (g *Graph) Connected() ([]uint64, error) {
	bits := make([]uint64, (g.Owned()+63)/64)
	if len(bits) == 0 {
		return bits, nil
	}
	code := C.g500_find_connected(g.c, (*C.uint64_t)(unsafe.SliceData(bits)), g.device.onStream())
	return bits, check("finding the vertices with edges", code)
}

// NoVertex means no vertex in 32-bit words on the device.
const NoVertex = ^uint32(0)

// wordBytes is the size of a 32-bit word, rankBytes the size of the rank in 64-bit ids.
const (
	wordBytes = 4
	rankBytes = 2
)
