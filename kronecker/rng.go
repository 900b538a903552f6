// SPDX-License-Identifier: Apache-2.0

package kronecker

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
