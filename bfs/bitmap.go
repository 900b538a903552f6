// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"sync/atomic"

	"g500/graph/csr"
)

// bitmap has one bit per index.
type bitmap []uint64

// get returns a bit, 0 or 1.
func (b bitmap) get(p uint64) uint64 { return b[p/csr.WordBits] >> (p % csr.WordBits) & 1 }

func (b bitmap) has(p uint64) bool { return b[p/csr.WordBits]>>(p%csr.WordBits)&1 != 0 }

// getAll returns the bits at up to WordBits indices, the first as the lowest bit. The reads are independent, and no
// branch depends on them.
func getAll[P csr.Pos](b bitmap, at []P) (bits uint64) {
	for i := len(at) - 1; i >= 0; i-- {
		bits = bits<<1 | b.get(uint64(at[i]))
	}
	return bits
}

// set sets a bit; it is not atomic.
func (b bitmap) set(p uint64) { b[p/csr.WordBits] |= 1 << (p % csr.WordBits) }

// load is get while other workers claim bits.
func (b bitmap) load(p uint64) uint64 {
	return atomic.LoadUint64(&b[p/csr.WordBits]) >> (p % csr.WordBits) & 1
}

// claim sets a bit atomically and reports whether it was unset. It reads the bit before the atomic operation.
func (b bitmap) claim(p uint64) bool {
	bit := uint64(1) << (p % csr.WordBits)
	return b.load(p) == 0 && atomic.OrUint64(&b[p/csr.WordBits], bit)&bit == 0
}
