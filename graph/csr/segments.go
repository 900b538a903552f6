// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"sort"

	"g500/graph"
	"g500/internal/par"
)

// Segments divides the local ids of a rank into segments, for results that workers write in label order. Vertices of
// equal degree have rising labels, so the ids of a segment are a part of each run of such vertices. A worker that writes
// a segment reads every cache line of what is in the order of ids once.
type Segments struct {
	Length int // local ids in a segment
	Hubs   ID  // the ids below it are in short runs, which are left out

	runs   int
	starts []ID // by segment and run, with an empty segment at the end: the first id with a local id from there on
}

// Bounds of the length of a segment, at most 128 KiB of short labels.
const (
	leastSegment = 1 << 10
	mostSegment  = 1 << 15
)

// NewSegments returns the segments of n local ids, given those of the non-isolated vertices by id, with the last runs.
func NewSegments(workers, n int, localOf []graph.Local, runs int) Segments {
	bounds := lastRuns(localOf, runs)
	s := Segments{Length: par.Grain(workers, n, leastSegment, mostSegment), Hubs: ID(bounds[0]), runs: len(bounds) - 1}
	segments := (n + s.Length - 1) / s.Length
	s.starts = make([]ID, (segments+1)*s.runs)
	par.For(workers, segments+1, 1, func(_, k, _ int) {
		for i := range s.runs {
			run := localOf[bounds[i]:bounds[i+1]]
			first := sort.Search(len(run), func(j int) bool { return int(run[j]) >= k*s.Length })
			s.starts[k*s.runs+i] = ID(bounds[i] + first)
		}
	})
	return s
}

// lastRuns returns the bounds of the last runs of ids with rising local ids: the first id of each, and the number of
// ids.
func lastRuns(localOf []graph.Local, runs int) (bounds []int) {
	last := len(localOf)
	bounds = []int{last}
	for h := last - 1; h >= 0 && len(bounds) <= runs; h-- {
		if h == 0 || localOf[h-1] > localOf[h] {
			bounds = append(bounds, h)
		}
	}
	sort.Ints(bounds)
	return bounds
}

// EachRun calls body with the ids of each run in the segment that begins at local id lo.
func (s *Segments) EachRun(lo int, body func(first, last ID)) {
	starts := s.starts[lo/s.Length*s.runs:]
	for i := range s.runs {
		if first, last := starts[i], starts[s.runs+i]; first < last {
			body(first, last)
		}
	}
}
