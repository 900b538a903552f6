// SPDX-License-Identifier: Apache-2.0

package kronecker

import "math/bits"

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

// ends returns the unscrambled ends of an edge from the accepted draws of its levels. It is drawEnds without branches:
// the borrow of a comparison is the next bit.
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
