//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"

	"g500/bfs"
	"g500/cuda"
	"g500/graph"
	"g500/partition"
)

// engine searches a graph in device memory.
type engine struct {
	device *cuda.Device
	graph  *cuda.Graph
	search *cuda.Search
	layout partition.Layout
	edges  bitmap // labels with an edge to another vertex
}

// newEngine is kernel 1.
func newEngine(d *cuda.Device, given graph.Tuples) (e *engine, err error) {
	t, err := onDevice(d, given)
	if err != nil {
		return nil, err
	}
	e = &engine{device: d}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	if e.graph, err = alone(d, t); err != nil {
		return nil, err
	}
	e.layout = partition.NewCyclic(graph.Global(e.graph.Vertices()), 1)
	if e.search, err = e.graph.NewSearch(); err != nil {
		return nil, err
	}
	e.edges, err = connected(e.graph)
	return e, err
}

// Layout gives every vertex to the one rank.
func (e *engine) Layout() partition.Layout { return e.layout }

// HasEdge reports whether a vertex has an edge to another vertex.
func (e *engine) HasEdge(l graph.Local) bool { return e.edges.has(l) }

// BFS searches from root. The tree stays on the device.
func (e *engine) BFS(root graph.Global) (bfs.Tree, error) {
	if root < 0 || root >= e.layout.Vertices() {
		return nil, fmt.Errorf("gpu: root %d is no vertex; the graph has vertices 0 to %d", root, e.layout.Vertices()-1)
	}
	return tree{e.search.Parents(), int64(e.layout.Vertices())}, e.search.Run(uint32(root))
}

// Trace tells what the levels of the last search did.
func (e *engine) Trace() ([]bfs.Level, error) {
	levels, err := e.search.Trace()
	trace := make([]bfs.Level, len(levels))
	for i, l := range levels {
		trace[i] = bfs.Level{Step: steps[l.Direction], Frontier: l.Frontier, Edges: l.Edges, Nanoseconds: l.Nanoseconds}
	}
	traffic{hubs: e.graph.Hubs(), labels: e.graph.Vertices()}.count(trace)
	return trace, err
}

// steps names what the device counts.
var steps = map[cuda.Direction]string{
	cuda.TopDown:    bfs.TopDownStep,
	cuda.BottomUp:   bfs.BottomUpStep,
	cuda.LabelOrder: bfs.LabelOrderStep,
}

// Close gives the structure's memory back.
func (e *engine) Close() error {
	var faults []error
	if e.search != nil {
		faults = append(faults, e.search.Free())
	}
	if e.graph != nil {
		faults = append(faults, e.graph.Free())
	}
	return errors.Join(faults...)
}
