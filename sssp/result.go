// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"math"

	"g500/graph"
	"g500/graph/csr"
	"g500/graph/engine"
	"g500/internal/hugepage"
	"g500/internal/par"
)

// resultRuns is the number of runs of vertices in segments of a result.
const resultRuns = 256

// result writes distances and parents in label order.
type result struct {
	engine.HostResult
	workers  int
	localOf  []graph.Local // by id
	segments csr.Segments
}

func newResult(s *structure, workers int) *result {
	n := s.Layout.Count(s.Rank)
	r := &result{workers: workers, localOf: s.LocalOf}
	r.Parents, r.Distances = hugepage.MakeFull[graph.Global](workers, n), hugepage.MakeFull[float32](workers, n)
	r.segments = csr.NewSegments(workers, n, s.LocalOf, resultRuns)
	return r
}

// write writes the result. d has the entry of each vertex by id.
func (r *result) write(d distances) {
	put := func(first, last csr.ID) {
		localOf, parents, distances := r.localOf, r.Parents, r.Distances
		for h := first; h < last; h++ {
			parents[localOf[h]], distances[localOf[h]] = entry(d[h]).result()
		}
	}
	par.For(r.workers, len(r.Parents), r.segments.Length, func(_, lo, hi int) {
		for l := lo; l < hi; l++ {
			r.Parents[l], r.Distances[l] = graph.NoParent, Unreached
		}
		r.segments.EachRun(lo, put)
	})
	par.For(r.workers, int(r.segments.Hubs), 1<<10, func(_, lo, hi int) { put(csr.ID(lo), csr.ID(hi)) })
}

// result returns the parent and the distance as in the result. It has no branch on unreached vertices, which would be
// mispredicted.
func (e entry) result() (graph.Global, float32) {
	bits := int64(e >> 32)
	reached := (bits - int64(unreached>>32)) >> 63 // all bits, or none
	parent := int64(e.parent())&reached | int64(graph.NoParent)&^reached
	distance := bits&reached | int64(math.Float32bits(Unreached))&^reached
	return graph.Global(parent), math.Float32frombits(uint32(distance))
}
