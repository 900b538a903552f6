// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"math/big"
	"testing"

	"g500/internal/expect"
)

// Draws below 3647 = (2^31-1) mod 10000 are rejected, so all remainders have the same probability.
func TestLowDrawsAreRejected(t *testing.T) {
	for first, draws := range map[int64]int{0: 2, 3646: 2, 3647: 1, modulus - 1: 1} {
		got, want := stateBefore(first), stateBefore(first)
		drawQuadrant(&got)
		if drawN(&want, draws); got != want {
			t.Errorf("after a level that begins with draw %d: state %v, want the one after %d draws, %v",
				first, got, draws, want)
		}
	}
}

// stateBefore returns a state whose next draw is the given one.
func stateBefore(draw int64) rng {
	p := big.NewInt(modulus)
	z := new(big.Int).ModInverse(big.NewInt(recent), p)
	z.Mul(z, big.NewInt(draw)).Mod(z, p)
	return rng{z.Uint64(), 1, 1, 1, 0}
}

// Weights can be exactly 1, as in the Graph500 reference code and against the specification, because the largest random
// numbers are rounded up to single precision.
func TestWeightsCanBeOne(t *testing.T) {
	const most = 1<<31 - 2 // of the random numbers
	for draw, want := range map[uint64]bool{most: true, most - 62: true, most - 63: false} {
		expect.Equal(t, weight(draw) == 1, want, "the random number", draw, "makes a weight of 1")
	}
}
