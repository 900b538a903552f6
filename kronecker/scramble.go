// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"math/bits"

	"g500/graph"
)

// scrambler is the random permutation of labels that the specification requires: a bijection on the lowest scale bits
// from odd multiplications and bit reversals, which any rank can compute for any label.
type scrambler struct {
	add        uint64
	mul0, mul1 uint64
	unused     uint // bits of a word above the scale
}

// newScrambler draws the constants from the seeded state, at draws that no edge uses.
func newScrambler(state rng, scale int) scrambler {
	state = state.skip(50, 7, 0)
	val0 := drawWord(&state)
	val1 := drawWord(&state)
	return scrambler{
		add:    val0 + val1,
		mul0:   val0 | 0x4519840211493211,
		mul1:   val1 | 0x3050852102C843A5,
		unused: uint(64 - scale),
	}
}

// drawWord returns a word from two draws. The factor is 2^32-1, as in the Graph500 reference code, not 2^32.
func drawWord(state *rng) uint64 {
	high := state.next()
	low := state.next()
	return high*0xFFFFFFFF + low
}

// label returns the scrambled label of the vertex v, v < 2^scale. The low bits of a product depend only on the low bits
// of its factors; the reversals make them the high bits, and drop the bits above the scale.
func (s *scrambler) label(v uint64) graph.Global {
	v = (v + s.add) * s.mul0
	v = bits.Reverse64(v) >> s.unused
	v *= s.mul1
	return graph.Global(bits.Reverse64(v) >> s.unused)
}
