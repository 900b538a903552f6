// SPDX-License-Identifier: Apache-2.0

package formats

import "math/bits"

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
	for {
		if i = p.once(i); i < p.n {
			return i
		}
	}
}

func (p *permutation) once(i uint64) uint64 {
	mask := uint64(1)<<p.half - 1
	left, right := i>>p.half, i&mask
	for _, key := range p.keys {
		left, right = right, left^key.word(right)&mask
	}
	return left<<p.half | right
}
