// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"math/bits"

	"g500/graph"
)

// The initiator of the Kronecker product, in units of 1/10000: 0.19 for (0,1), 0.19 for (1,0), 0.57 for (0,0) and 0.05
// for (1,1). The remainder of a draw modulo units selects the quadrant; these are the ends of the quadrants.
const (
	units = 10000
	end01 = 1900
	end10 = 3800
	end00 = 9500
)

// tooLow is the number of smallest draws that are rejected, so every remainder has the same probability.
const tooLow = modulus % units

// generator has the constants of all edges of one graph.
type generator struct {
	scale    int
	seed     rng
	scramble scrambler
}

func (p Params) generator() generator {
	seed := seeded(p.Seed1, p.Seed2)
	return generator{p.Scale, seed, newScrambler(seed, p.Scale)}
}

// stream returns the random number generator before the first draw of edge i. Streams are 2^64 draws apart.
func (g *generator) stream(i int64) rng { return g.seed.skip(0, uint64(i), 0) }

// edge draws one edge and its weight. Fill uses it only for the few edges with a rejected draw.
func (g *generator) edge(stream rng) (graph.Edge, float32) {
	var draws [graph.MaxScale]uint64
	for level := range g.scale {
		draws[level] = drawAccepted(&stream)
	}
	return g.tuple(ends(draws[:g.scale])), weight(stream.next())
}

// tuple scrambles the ends of an edge.
func (g *generator) tuple(src, tgt uint64) graph.Edge {
	return graph.NewEdge(g.scramble.label(src), g.scramble.label(tgt))
}

// drawAccepted draws until a draw is not rejected.
func drawAccepted(stream *rng) uint64 {
	draw := stream.next()
	for draw < tooLow {
		draw = stream.next()
	}
	return draw
}

// weight returns the weight of an edge for a draw. As in the Graph500 reference code, the draw is rounded to single
// precision first, so the largest 63 draws give exactly 1.
func weight(draw uint64) float32 {
	const unit = 4.65661287524579692e-10 // 1/(2^31-1)
	return float32(float64(float32(draw)) * unit)
}

// perPart converts a draw to the fixed-point quotient draw/10000: draw*perPart modulo 2^64 is its fraction in units of
// 2^-64, plus an error below 2^32. Multiples of perPart differ by more than the error, so comparing the fraction with
// end*perPart compares draw%10000 with end exactly, without a division (Lemire, Kaser, Kurz: Faster remainder by direct
// computation, Software: Practice and Experience 49, 2019).
const perPart = (1<<64-1)/units + 1

// Bounds of consecutive quadrants that set a bit of an edge's ends.
const (
	apartBelow = end10 * perPart               // (0,1), (1,0): the bits of the ends differ
	tgtFrom    = end00 * perPart               // (1,1), then, after wrapping around, (0,1): the bit of tgt is set
	tgtWidth   = 1<<64 - (end00-end01)*perPart // from tgtFrom to the end of (0,1)
)

// ends returns the unscrambled ends of an edge from the accepted draws of its levels, which are the bits of both ends,
// most significant first. While the ends are equal, on the diagonal of the adjacency matrix, (1,0) is flipped to (0,1),
// so src <= tgt. It has no branches: the borrow of a comparison is the next bit.
func ends(draws []uint64) (src, tgt uint64) {
	var apart, borrow uint64
	for _, draw := range draws {
		part := draw * perPart
		_, borrow = bits.Sub64(part, apartBelow, 0)
		apart, _ = bits.Add64(apart, apart, borrow)
		_, borrow = bits.Sub64(part-tgtFrom, tgtWidth, 0)
		tgt, _ = bits.Add64(tgt, tgt, borrow)
	}
	src = tgt ^ apart
	// The ends are equal above the highest bit in which they differ, so only that bit can be flipped.
	flip := src & (1 << (uint(bits.Len64(apart)-1) & 63))
	return src ^ flip, tgt ^ flip
}

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
