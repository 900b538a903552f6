// SPDX-License-Identifier: Apache-2.0

package kronecker

import "sync"

// Constants of the random number generator, L'Ecuyer's multiple recursive generator of order 5: each output is
// recent*z1 + old*z5 modulo the prime 2^31-1 for the last output z1 and the fifth last output z5.
const (
	modulus = 1<<31 - 1
	recent  = 107374182
	old     = 104480
)

// order is the number of outputs that the next one depends on.
const order = 5

// rng is the state of the generator: its last five outputs z1 to z5, the newest first, each in [0, modulus).
type rng [order]uint64

// seeded distributes the 128 bits of the seeds over a state whose words are never zero.
func seeded(seed1, seed2 uint64) rng {
	const low30 = 1<<30 - 1
	return rng{
		seed1&low30 + 1,
		seed1>>30&low30 + 1,
		seed2&low30 + 1,
		seed2>>30&low30 + 1,
		seed2>>60<<4 + seed1>>60 + 1,
	}
}

// next draws one output, in [0, modulus).
func (r *rng) next() uint64 {
	out := (recent*r[0] + old*r[4]) % modulus
	*r = rng{out, r[0], r[1], r[2], r[3]}
	return out
}

// skip returns the state after high*2^128 + middle*2^64 + low further draws. The official generator starts edges 2^64
// draws apart, and the constants of a graph at multiples of 2^128 draws.
func (r rng) skip(high, middle, low uint64) rng {
	doublings := transitions()
	for i, word := range [...]uint64{low, middle, high} {
		for bit := 0; word != 0; bit, word = bit+1, word>>1 {
			if word&1 == 1 {
				r = doublings[64*i+bit].apply(r)
			}
		}
	}
	return r
}

// matrix is a linear map of generator states, by rows, with entries in [0, modulus). n draws are the n-th power of the
// map of one draw.
type matrix [order][order]uint64

// transitions returns the matrices of 2^k draws, k up to 191. They are computed once, in about 15 us; with them a skip
// takes at most one matrix-vector product per bit of its length.
var transitions = sync.OnceValue(func() *[192]matrix {
	var t [192]matrix
	t[0] = matrix{{recent, 0, 0, 0, old}, {1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}
	for k := 1; k < len(t); k++ {
		t[k] = t[k-1].squared()
	}
	return &t
})

// squared returns m times m.
func (m *matrix) squared() (square matrix) {
	for i := range m {
		for j := range m {
			square[i][j] = dot(&m[i], m[0][j], m[1][j], m[2][j], m[3][j], m[4][j])
		}
	}
	return square
}

// apply returns m times the state r.
func (m *matrix) apply(r rng) (product rng) {
	for i := range m {
		product[i] = dot(&m[i], r[0], r[1], r[2], r[3], r[4])
	}
	return product
}

// dot returns the product of a row and a column modulo the prime. The sum of four products of 31-bit numbers fits into
// 64 bits, and is folded before the fifth is added.
func dot(row *[order]uint64, z1, z2, z3, z4, z5 uint64) uint64 {
	four := row[0]*z1 + row[1]*z2 + row[2]*z3 + row[3]*z4
	return canonical(fold(fold(four) + row[4]*z5))
}

// fold returns a smaller number with the residue of s: it adds the bits above the lowest 31 to those, because 2^31 is 1
// modulo 2^31-1. The result is below 2^31 + s/2^31.
func fold(s uint64) uint64 { return s>>31 + s&modulus }

// canonical returns the residue in [0, modulus) of an s below 2^61. One fold gives a number below twice the modulus.
// The minimum subtracts the modulus, unless the difference is negative and wraps around.
func canonical(s uint64) uint64 {
	s = fold(s)
	return min(s, s-modulus)
}
