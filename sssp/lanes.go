// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"slices"
	"sort"

	"g500/graph/csr"
	"g500/internal/par"
)

// lane has the state of one worker. Each lane is allocated apart, because workers that write to one cache line delay
// each other.
type lane struct {
	worker   int
	offers   offers
	long     []span            // parts of long rows, to be relaxed by all workers
	queued   [buckets][]csr.ID // vertices that must relax their edges
	frontier []csr.ID          // the vertices of the current bucket
	settled  []csr.ID          // vertices that have relaxed their edges
	beyond   []csr.ID          // queued vertices that are now beyond the threshold
	open     []csr.ID          // vertices whose paths over vertices beyond the threshold may be shorter
	changed  []csr.ID          // vertices for which that is true
	farthest float32           // the largest distance of an open vertex
}

type lanes []*lane

func newLanes(workers int) lanes {
	all := make(lanes, workers)
	for w := range all {
		all[w] = &lane{worker: w}
	}
	return all
}

func frontier(l *lane) *[]csr.ID { return &l.frontier }
func settled(l *lane) *[]csr.ID  { return &l.settled }
func beyond(l *lane) *[]csr.ID   { return &l.beyond }
func open(l *lane) *[]csr.ID     { return &l.open }
func changed(l *lane) *[]csr.ID  { return &l.changed }

// clear empties a list of all lanes.
func (all lanes) clear(list func(*lane) *[]csr.ID) {
	for _, l := range all {
		*list(l) = (*list(l))[:0]
	}
}

// count returns the number of vertices in a list of all lanes.
func (all lanes) count(list func(*lane) *[]csr.ID) (n int) {
	for _, l := range all {
		n += len(*list(l))
	}
	return n
}

// Bounds of the vertices that a worker takes from a list at a time.
const (
	mostTaken       = 512
	piecesPerWorker = 8
)

// each calls body for the vertices in a list of all lanes, at most atOnce at a time, from several workers, each with
// its own lane. body must not change the list.
func (c *common) each(list func(*lane) *[]csr.ID, atOnce int, body func(l *lane, vertices []csr.ID)) {
	n, ends := 0, make([]int, len(c.lanes))
	for w, l := range c.lanes {
		n += len(*list(l))
		ends[w] = n
	}
	grain := min(n/(piecesPerWorker*c.workers)+1, mostTaken)
	par.For(c.workers, n, grain, func(worker, lo, hi int) {
		for from := sort.SearchInts(ends, lo+1); lo < hi; from++ {
			all := *list(c.lanes[from])
			some := all[len(all)-(ends[from]-lo) : min(len(all), len(all)-(ends[from]-hi))]
			for part := range slices.Chunk(some, atOnce) {
				body(c.lanes[worker], part)
			}
			lo += len(some)
		}
	})
}
