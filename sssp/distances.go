package sssp

import (
	"math"
	"sync/atomic"

	"g500/graph"
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

// distances are what one rank knows of its own vertices, by hub id. Many workers may change them at a time.
type distances []uint64

func (d distances) at(h hub) entry { return entry(atomic.LoadUint64(&d[h])) }

// lower takes over a distance if it is shorter than what there is, and then the parent with it. It reports whether.
func (d distances) lower(h hub, to entry) bool {
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

// official brings the result into label order.
func (d distances) official(s *structure, workers int, into *HostPaths) {
	par.For(workers, len(into.Parents), 1<<14, func(_, lo, hi int) {
		for l := lo; l < hi; l++ {
			into.Parents[l], into.Distances[l] = graph.NoParent, Unreached
			h := s.hubOf[l]
			if h == noHub {
				continue
			}
			if e := d.at(h); e.distance() < infinity {
				into.Parents[l], into.Distances[l] = graph.Global(e.parent()), e.distance()
			}
		}
	})
}
