package kronecker

import "sync"

// matrix is a linear map of generator states, rows first, its entries in [0, modulus). Any number of draws is
// such a map: n draws are the n-th power of one draw.
type matrix [order][order]uint64

// transitions holds the powers of one draw by squaring: element k is 2^k draws, k up to 191. It is built once,
// in some 15 us, so that a skip costs no more than one matrix-vector product for each bit of its length.
var transitions = sync.OnceValue(func() *[192]matrix {
	var t [192]matrix
	t[0] = matrix{{recent, 0, 0, 0, old}, {1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}
	for k := 1; k < len(t); k++ {
		t[k] = t[k-1].squared()
	}
	return &t
})

// squared is m times m.
func (m *matrix) squared() (square matrix) {
	for i := range m {
		for j := range m {
			square[i][j] = dot(&m[i], m[0][j], m[1][j], m[2][j], m[3][j], m[4][j])
		}
	}
	return square
}

// apply is m times the state r.
func (m *matrix) apply(r rng) (product rng) {
	for i := range m {
		product[i] = dot(&m[i], r[0], r[1], r[2], r[3], r[4])
	}
	return product
}

// dot is the product of a row and a column modulo the prime. Four products of 31 bits fit in 64 bits, five do
// not, so the sum of four is folded before the fifth joins it.
func dot(row *[order]uint64, z1, z2, z3, z4, z5 uint64) uint64 {
	four := row[0]*z1 + row[1]*z2 + row[2]*z3 + row[3]*z4
	return canonical(fold(fold(four) + row[4]*z5))
}

// fold brings s nearer to [0, modulus) without changing its residue, because 2^31 is 1 modulo 2^31-1: the bits
// above the lowest 31 are added to those. What is left is below 2^31 + s/2^31.
func fold(s uint64) uint64 { return s>>31 + s&modulus }

// canonical is the residue in [0, modulus) of an s below 2^61. One fold leaves less than twice the modulus; of
// that and the same less the modulus, which wraps around when it is negative, the smaller is right.
func canonical(s uint64) uint64 {
	s = fold(s)
	return min(s, s-modulus)
}
