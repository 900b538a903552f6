package sssp

import (
	"math"
	"sync/atomic"

	"g500/graph"
	"g500/graph/csr"
	"g500/internal/hugepage"
	"g500/internal/par"
)

// entry is the distance of a vertex, its bits in the high half, and the label of its parent. Distances are not
// negative, so that entries rise with them.
type entry uint64

const noLabel = math.MaxUint32

var infinity = float32(math.Inf(1))

// unreached is the entry of a vertex that no path has reached.
var unreached = entryOf(infinity, noLabel)

func entryOf(distance float32, parent uint32) entry {
	return entry(math.Float32bits(distance))<<32 | entry(parent)
}

func (e entry) distance() float32 { return math.Float32frombits(uint32(e >> 32)) }
func (e entry) parent() uint32    { return uint32(e) }

// distances has the entries of one rank's vertices, by id. Many workers may change them at a time.
type distances []uint64

// newDistances returns distances of that many vertices, followed by one that stays unreached.
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

// official brings the result into label order. Which labels have no edge, and which were not reached, is as good as
// random, so nothing branches on it.
func (d distances) official(s *structure, workers int, into *HostPaths) {
	all := d[:len(d)+1] // with the one for csr.NoID
	par.For(workers, len(into.Parents), 1<<14, func(_, lo, hi int) {
		idOf, parents, distances := s.IDOf[lo:hi], into.Parents[lo:hi], into.Distances[lo:hi]
		for i, h := range idOf {
			parents[i], distances[i] = entry(all[min(int(h), len(d))]).official()
		}
	})
}

// official returns a vertex' parent and distance as in the result.
func (e entry) official() (graph.Global, float32) {
	bits := int64(e >> 32)
	reached := (bits - int64(unreached>>32)) >> 63 // all bits, or none
	parent := int64(e.parent())&reached | int64(graph.NoParent)&^reached
	distance := bits&reached | int64(math.Float32bits(Unreached))&^reached
	return graph.Global(parent), math.Float32frombits(uint32(distance))
}
