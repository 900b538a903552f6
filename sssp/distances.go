// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"math"
	"sync/atomic"

	"g500/graph"
	"g500/graph/csr"
	"g500/internal/hugepage"
	"g500/internal/par"
)

// entry has the bits of a vertex' distance in the high half, and the label of its parent in the low half. Distances are
// not negative, so entries have the order of distances.
type entry uint64

const noLabel = math.MaxUint32

var infinity = float32(math.Inf(1))

// unreached is the entry of an unreached vertex.
var unreached = entryOf(infinity, noLabel)

func entryOf(distance float32, parent uint32) entry {
	return entry(math.Float32bits(distance))<<32 | entry(parent)
}

func (e entry) distance() float32 { return math.Float32frombits(uint32(e >> 32)) }
func (e entry) parent() uint32    { return uint32(e) }

// distances has the entries of one rank's vertices, by id. Workers change them concurrently.
type distances []uint64

// newDistances returns distances of vertices, followed by one more entry that stays unreached.
func newDistances(vertices int) distances {
	d := distances(hugepage.Make[uint64](vertices + 1))
	d[vertices] = uint64(unreached)
	return d[:vertices]
}

func (d distances) at(h csr.ID) entry { return entry(atomic.LoadUint64(&d[h])) }

// lower replaces a vertex' entry if the new distance is shorter, and reports whether it did.
func (d distances) lower(h csr.ID, to entry) bool {
	for {
		now := atomic.LoadUint64(&d[h])
		if to>>32 >= entry(now)>>32 {
			return false
		}
		if atomic.CompareAndSwapUint64(&d[h], now, uint64(to)) {
			return true
		}
	}
}

// result writes the result in label order. It has no branches on isolated and unreached vertices, which would be
// mispredicted.
func (d distances) result(s *structure, workers int, into *csr.Result) {
	if into.Parents.Short != nil {
		result(d, s, workers, into.Parents.Short, into.Distances)
	} else {
		result(d, s, workers, into.Parents.Long, into.Distances)
	}
}

func result[T csr.Label](d distances, s *structure, workers int, parents []T, distances []float32) {
	all := d[:len(d)+1] // with the entry for csr.NoID
	par.For(workers, len(s.IDOf), 1<<14, func(_, lo, hi int) {
		idOf, parents, distances := s.IDOf[lo:hi], parents[lo:hi], distances[lo:hi]
		for i, h := range idOf {
			parent, distance := entry(all[min(int(h), len(d))]).result()
			parents[i], distances[i] = T(parent), distance
		}
	})
}

// result returns the parent and the distance as in the result.
func (e entry) result() (graph.Global, float32) {
	bits := int64(e >> 32)
	reached := (bits - int64(unreached>>32)) >> 63 // all bits, or none
	parent := int64(e.parent())&reached | int64(graph.NoParent)&^reached
	distance := bits&reached | int64(math.Float32bits(Unreached))&^reached
	return graph.Global(parent), math.Float32frombits(uint32(distance))
}
