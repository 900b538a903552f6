// SPDX-License-Identifier: Apache-2.0

package formats

import "math/bits"

// stream is a sequence of random words with random access: word i is a function of the stream and i. It is the
// generator SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014), with a
// different state for each seed and purpose.
type stream uint64

// Purposes of the streams of one seed.
const (
	forEdges = iota + 1
	forPoints
	forStreets
	forChains
	forLabels
	forWeights
)

// golden is the step of SplitMix64: 2^64 over the golden ratio, and odd.
const golden = 0x9E3779B97F4A7C15

func newStream(seed uint64, purpose uint64) stream {
	return stream(mix(mix(seed+golden) + purpose*golden))
}

// word returns random word i.
func (s stream) word(i uint64) uint64 { return mix(uint64(s) + (i+1)*golden) }

// unit returns random number i in [0, 1).
func (s stream) unit(i uint64) float64 { return float64(s.word(i)>>11) * 0x1p-53 }

// mix is the output function of SplitMix64, a bijection in which each bit of the result depends on each of x.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// permutation is a random permutation of the numbers below n with random access. It is a Feistel network over the next
// power of four; a value of n or more passes it again until it is below n (cycle walking: Black, Rogaway: Ciphers with
// Arbitrary Finite Domains, CT-RSA 2002), fewer than four times on average.
type permutation struct {
	n    uint64
	half uint // bits of each half
	keys [rounds]stream
}

const rounds = 6

func newPermutation(n uint64, s stream) permutation {
	p := permutation{n: n, half: uint(max(1, (bits.Len64(max(n, 1)-1)+1)/2))}
	for r := range p.keys {
		p.keys[r] = stream(s.word(uint64(r)))
	}
	return p
}

// at returns value i, which must be below n.
func (p *permutation) at(i uint64) uint64 {
	mask := uint64(1)<<p.half - 1
	for {
		left, right := i>>p.half, i&mask
		for _, key := range p.keys {
			left, right = right, left^key.word(right)&mask
		}
		if i = left<<p.half | right; i < p.n {
			return i
		}
	}
}
