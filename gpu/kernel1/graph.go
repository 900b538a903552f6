// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package kernel1

import (
	"errors"

	"g500/comm"
	"g500/cuda"
	"g500/gpu/device"
	"g500/graph"
	"g500/partition"
)

// LabelBytes is the size of the 32-bit word of a label on the device.
const LabelBytes = 4

// MostQueued is the limit for the vertices of a rank if a frontier may hold all of them, because frontiers count
// vertices in 28 bits. Only if all levels are top-down may a frontier hold all of them.
const MostQueued = 1 << 28

// Graph is this rank's share of a graph on the devices of all ranks.
type Graph struct {
	*cuda.Graph
	t      device.Transport
	layout partition.Layout
	edges  []uint64 // cuda.Graph.Connected
}

// newGraph is collective. The graph is freed if an error is returned.
func newGraph(t device.Transport, built *cuda.Graph) (*Graph, error) {
	g := &Graph{Graph: built, t: t}
	g.layout = partition.NewCyclic(graph.Global(built.Vertices()), t.Host().Size())
	var err error
	g.edges, err = built.Connected()
	if err := comm.Agree(t.Host(), err); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// Layout returns the assignment of vertices to ranks.
func (g *Graph) Layout() partition.Layout { return g.layout }

// HasEdge reports whether an owned vertex has an edge to another vertex.
func (g *Graph) HasEdge(l graph.Local) bool { return g.edges[l/64]>>(l%64)&1 == 1 }

// Close frees the graph, at the next collective call of the transport if peers may have opened it. A nil graph has no
// memory.
func (g *Graph) Close() error {
	if g == nil {
		return nil
	}
	return g.t.Retire(g.Free)
}

// Simple returns this rank's share of the simple graph (engine.Counter). An edge between a leaf and another vertex is
// only in the row of the leaf.
func (g *Graph) Simple() (vertices, ends int64, err error) {
	if g.Directed() {
		return 0, 0, nil
	}
	leafEnds, err := g.LeafEnds()
	return g.NonIsolated(), g.Edges() + g.NonIsolated() - g.NonLeaves() - leafEnds, err
}

// ShareLabels opens a window with the first labels of every rank, in the order of ranks. each is the number of labels
// per rank, a multiple of 4. It is collective.
func (g *Graph) ShareLabels(each int64) (*device.Window, error) {
	host, d, part := g.t.Host(), g.t.Device(), each*LabelBytes
	w, err := g.t.Open("labels", int64(host.Size())*part)
	if err != nil {
		return nil, err
	}
	own, filled := w.Part(int64(host.Rank())*part, part), min(each, g.NonIsolated())*LabelBytes
	copied := d.Copy(own.Part(0, filled), g.Labels().Part(0, filled))
	err = comm.Agree(host, errors.Join(copied, d.Clear(own.Part(filled, part-filled))))
	if err == nil {
		err = g.t.AllGather(w, part)
	}
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}
