package bfs

import (
	"sync/atomic"

	"g500/graph/csr"
)

// bitmap has one bit per index.
type bitmap []uint64

func (b bitmap) has(p uint64) bool { return b[p/csr.WordBits]>>(p%csr.WordBits)&1 != 0 }

// set sets a bit; it is not atomic.
func (b bitmap) set(p uint64) { b[p/csr.WordBits] |= 1 << (p % csr.WordBits) }

// claim sets a bit atomically and reports whether it was unset. Most bits are set already, so it reads before the
// atomic operation.
func (b bitmap) claim(p uint64) bool {
	word, bit := &b[p/csr.WordBits], uint64(1)<<(p%csr.WordBits)
	if atomic.LoadUint64(word)&bit != 0 {
		return false
	}
	return atomic.OrUint64(word, bit)&bit == 0
}
