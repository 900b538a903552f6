// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"math"
	"testing"

	"g500/internal/expect"
)

func drawN(r *rng, n int) (draws []uint64) {
	for range n {
		draws = append(draws, r.next())
	}
	return draws
}

func TestSeedUsesAll128Bits(t *testing.T) {
	for _, c := range []struct {
		name         string
		seed1, seed2 uint64
		want         rng
	}{
		{"words are not zero for zero seeds", 0, 0, rng{1, 1, 1, 1, 1}},
		{"low 30 bits of seed 1", 1<<30 - 1, 0, rng{1 << 30, 1, 1, 1, 1}},
		{"middle 30 bits of seed 1", 1 << 30, 0, rng{1, 2, 1, 1, 1}},
		{"high 4 bits of seed 1", 1 << 60, 0, rng{1, 1, 1, 1, 2}},
		{"low 30 bits of seed 2", 0, 1<<30 - 1, rng{1, 1, 1 << 30, 1, 1}},
		{"middle 30 bits of seed 2", 0, 1 << 30, rng{1, 1, 1, 2, 1}},
		{"high 4 bits of seed 2", 0, 1 << 60, rng{1, 1, 1, 1, 17}},
		{"all bits", math.MaxUint64, math.MaxUint64, rng{1 << 30, 1 << 30, 1 << 30, 1 << 30, 256}},
	} {
		expect.Equal(t, seeded(c.seed1, c.seed2), c.want, c.name)
	}
}

// fold and canonical agree with the operator % at the ends of their ranges and near carries.
func TestResidues(t *testing.T) {
	for _, s := range []uint64{0, 1, modulus - 1, modulus, modulus + 1, 2*modulus - 1, 2 * modulus, 2*modulus + 1,
		recent*(modulus-1) + old*(modulus-1), 1<<61 - 1} {
		expect.Equal(t, canonical(s), s%modulus, "canonical", s)
		if got := fold(s); got%modulus != s%modulus {
			t.Errorf("fold(%d): %d, another residue", s, got)
		}
	}
	highest := [order]uint64{modulus - 1, modulus - 1, modulus - 1, modulus - 1, modulus - 1}
	expect.Equal(t, dot(&highest, modulus-1, modulus-1, modulus-1, modulus-1, modulus-1), order, "five times (-1)*(-1)")
}
