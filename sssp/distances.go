// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"math"
	"sync/atomic"

	"g500/graph/csr"
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
