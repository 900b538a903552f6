// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"math"
	"sort"

	"g500/graph"
	"g500/graph/csr"
	"g500/graph/engine"
	"g500/internal/hugepage"
	"g500/internal/par"
)

// mostRuns is the number of runs of a result. The vertices of higher degrees, which are few, are not in runs.
const mostRuns = 256

// result writes parents and distances in label order, by segments of labels. Vertices of equal degree have rising
// labels, so a worker that writes a segment reads a part of each run of such vertices, and every cache line of their
// entries once.
type result struct {
	engine.HostResult
	workers int
	localOf []graph.Local // by id
	segment int           // labels of a segment
	runs    int
	starts  []csr.ID // by segment and run, with an empty segment at the end: the first id with a label from there on
}

func newResult(s *structure, workers int) *result {
	n := s.Layout.Count(s.Rank)
	bounds := lastRuns(s.LocalOf)
	r := &result{
		workers: workers, localOf: s.LocalOf, segment: par.Grain(workers, n, 1<<10, 1<<15), runs: len(bounds) - 1,
	}
	r.Parents, r.Distances = hugepage.MakeFull[graph.Global](workers, n), hugepage.MakeFull[float32](workers, n)
	segments := (n + r.segment - 1) / r.segment
	r.starts = make([]csr.ID, (segments+1)*r.runs)
	par.For(workers, segments+1, 1, func(_, k, _ int) {
		for i := range r.runs {
			run := r.localOf[bounds[i]:bounds[i+1]]
			first := sort.Search(len(run), func(j int) bool { return int(run[j]) >= k*r.segment })
			r.starts[k*r.runs+i] = csr.ID(bounds[i] + first)
		}
	})
	return r
}

// lastRuns returns the bounds of the last runs of ids with rising labels: the first id of each, and the number of ids.
func lastRuns(localOf []graph.Local) (bounds []int) {
	last := len(localOf)
	bounds = []int{last}
	for h := last - 1; h >= 0 && len(bounds) <= mostRuns; h-- {
		if h == 0 || localOf[h-1] > localOf[h] {
			bounds = append(bounds, h)
		}
	}
	sort.Ints(bounds)
	return bounds
}

// write writes the result. d has the entry of each vertex by id.
func (r *result) write(d distances) {
	localOf, parents, distances := r.localOf, r.Parents, r.Distances
	put := func(first, last csr.ID) {
		for h := first; h < last; h++ {
			parents[localOf[h]], distances[localOf[h]] = entry(d[h]).result()
		}
	}
	par.For(r.workers, len(parents), r.segment, func(_, lo, hi int) {
		for l := lo; l < hi; l++ {
			parents[l], distances[l] = graph.NoParent, Unreached
		}
		starts := r.starts[lo/r.segment*r.runs:]
		for i := range r.runs {
			put(starts[i], starts[r.runs+i])
		}
	})
	if r.runs > 0 {
		par.For(r.workers, int(r.starts[0]), 1<<10, func(_, lo, hi int) { put(csr.ID(lo), csr.ID(hi)) })
	}
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
