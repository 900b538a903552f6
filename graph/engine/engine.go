// SPDX-License-Identifier: Apache-2.0

// Package engine has the interface of search engines, generic over the type of their results.
package engine

import (
	"g500/graph"
	"g500/partition"
)

// Engine searches one graph that is distributed over ranks and returns results of type R. All methods except Layout,
// HasEdge and Close are collective; each rank uses its Engine from one goroutine. An Engine may also be a trace.Tracer
// and a trace.Stepper.
type Engine[R any] interface {
	// Layout returns the assignment of vertices to ranks.
	Layout() partition.Layout
	// HasEdge reports whether an owned vertex has an edge to another vertex, and so may be a search key.
	HasEdge(graph.Local) bool
	// Search searches from root, a vertex that is the same on every rank, to the complete result in the official form.
	// The benchmark times it. A search uses no results of earlier ones. The next search overwrites the result, which
	// belongs to the engine.
	Search(root graph.Global) (R, error)
	// Close frees the structure.
	Close() error
}

// Counter is an engine that can count the edges of its graph without duplicates and self-loops.
type Counter interface {
	// Simple returns the number of vertices with such an edge on this rank, and of ends of these edges. Each edge has two
	// ends on all ranks together. Both are 0 if the structure lacks edges, or is of a directed graph.
	Simple() (vertices, ends int64, err error)
}
