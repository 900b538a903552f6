// SPDX-License-Identifier: Apache-2.0

// Package engine has the interfaces of search engines and of their results.
package engine

import (
	"g500/graph"
	"g500/partition"
)

// Engine searches one graph that is distributed over ranks, breadth first or for shortest paths. All methods except
// Layout, HasEdge and Close are collective; each rank uses its Engine from one goroutine. An Engine may also be a
// trace.Tracer and a trace.Stepper.
type Engine interface {
	// Layout returns the assignment of vertices to ranks.
	Layout() partition.Layout
	// HasEdge reports whether an owned vertex has an edge to another vertex, and so may be a search key.
	HasEdge(graph.Local) bool
	// Search searches from root, a vertex that is the same on every rank, to the complete result in the official form.
	// The benchmark times it. A search uses no results of earlier ones. The next search overwrites the result, which
	// belongs to the engine.
	Search(root graph.Global) (Result, error)
	// Close frees the structure.
	Close() error
}

// Result is the result of one search on one rank.
type Result interface {
	// Host returns the result in host memory. If it is in other memory, Host copies it, outside the timed search.
	Host() (HostResult, error)
}

// HostResult is a Result in host memory, with a value for every owned vertex in label order.
type HostResult struct {
	Parents   []graph.Global // labels; the root is its own parent, and unreached vertices have graph.NoParent
	Distances []float32      // of shortest paths, sssp.Unreached for unreached vertices; nil for breadth-first search
}

// Host returns the result itself.
func (r HostResult) Host() (HostResult, error) { return r, nil }

// Counter is an engine that can count the edges of its graph without duplicates and self-loops.
type Counter interface {
	// Simple returns the number of vertices with such an edge on this rank, and of ends of these edges. Each edge has two
	// ends on all ranks together. Both are 0 if the structure lacks edges, or is of a directed graph.
	Simple() (vertices, ends int64, err error)
}
