// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/hugepage"
	"g500/internal/par"
)

// Result is an engine.Result of the CPU engines, whose labels have 64 bits only after the timed search.
type Result struct {
	Parents   LabelArray
	Distances []float32 // of shortest paths, else nil

	workers int
	long    []graph.Global // parents as Host returns them, if others are short
}

// NewResult returns the memory of the results of a rank with n vertices, in a graph with labels below vertices.
func NewResult(workers, n int, vertices graph.Global) *Result {
	return &Result{Parents: newLabelArray(workers, n, vertices), workers: workers}
}

// ResultBytes returns the bytes of parents per vertex in a Result, of short labels in both forms, in a graph with labels
// below vertices.
func ResultBytes(vertices int64) int64 { return 8 + LabelBytes(vertices)%8 }

// Host implements engine.Result.
func (r *Result) Host() (engine.HostResult, error) {
	if r.Parents.Long != nil {
		return engine.HostResult{Parents: r.Parents.Long, Distances: r.Distances}, nil
	}
	if r.long == nil {
		r.long = hugepage.MakeFull[graph.Global](r.workers, len(r.Parents.Short))
	}
	par.For(r.workers, len(r.long), vertexGrain, func(_, lo, hi int) {
		for i, label := range r.Parents.Short[lo:hi] {
			r.long[lo+i] = graph.Global(label)
		}
	})
	return engine.HostResult{Parents: r.long, Distances: r.Distances}, nil
}
