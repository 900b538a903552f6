// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"g500/graph/csr"
	"g500/internal/par"
)

// share replicates one word per non-isolated vertex: of returns this rank's words, and take receives all ranks' words,
// concurrently. It is collective.
func (c *common) share(of func(h csr.ID) uint32, take func(p position, word uint32)) error {
	if c.t.Size() == 1 {
		par.For(c.workers, c.s.Connected(), 1<<14, func(_, lo, hi int) {
			for h := lo; h < hi; h++ {
				take(position(h), of(csr.ID(h)))
			}
		})
		return nil
	}
	half := (c.s.Stride + 1) / 2 // two words are sent as one
	if c.words == nil {
		c.words = make([]uint64, half*c.t.Size())
	}
	own := c.words[c.s.Rank*half : (c.s.Rank+1)*half]
	par.For(c.workers, half, 1<<14, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			own[i] = 0
			for h := 2 * i; h < min(2*i+2, c.s.Connected()); h++ {
				own[i] |= uint64(of(csr.ID(h))) << (h % 2 * 32)
			}
		}
	})
	if err := c.t.AllGather(c.words); err != nil {
		return err
	}
	for r := range c.t.Size() {
		words := c.words[r*half : (r+1)*half]
		par.For(c.workers, c.s.Stride, 1<<14, func(_, lo, hi int) {
			for h := lo; h < hi; h++ {
				take(position(r*c.s.Stride+h), uint32(words[h/2]>>(h%2*32)))
			}
		})
	}
	return nil
}

// distanceBits returns the bits of a vertex' distance.
func (c *common) distanceBits(h csr.ID) uint32 { return uint32(c.d.at(h) >> 32) }
