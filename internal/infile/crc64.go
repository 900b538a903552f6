package infile

import (
	"encoding/binary"
	"hash/crc64"
)

// polynomial is the polynomial of CRC-64/XZ, with the coefficient of x^0 in the highest bit.
const polynomial = crc64.ECMA

// tables[k] has the checksums of each byte with k zero bytes after it.
var tables = func() (t [8]crc64.Table) {
	t[0] = *crc64.MakeTable(polynomial)
	for k := 1; k < len(t); k++ {
		for i, x := range t[k-1] {
			t[k][i] = t[0][byte(x)] ^ x>>8
		}
	}
	return t
}()

// update returns the checksum of the bytes with the checksum crc and then p. Each step of a checksum needs the previous
// one, so it computes the checksums of both halves of a long p together, and combines them.
func update(crc uint64, p []byte) uint64 {
	const short = 4 << 10
	half := len(p) / 16 * 8
	if half < short {
		return crc64.Update(crc, &tables[0], p)
	}
	a, b := ^crc, ^uint64(0)
	for first, second := p[:half], p[half:2*half]; len(first) >= 8 && len(second) >= 8; {
		a = step(a ^ binary.LittleEndian.Uint64(first))
		b = step(b ^ binary.LittleEndian.Uint64(second))
		first, second = first[8:], second[8:]
	}
	return crc64.Update(times(^a, power(int64(half)))^^b, &tables[0], p[2*half:])
}

// step returns the state of a checksum after eight bytes; x is the state before, xor the bytes.
func step(x uint64) uint64 {
	return tables[7][byte(x)] ^ tables[6][byte(x>>8)] ^ tables[5][byte(x>>16)] ^ tables[4][byte(x>>24)] ^
		tables[3][byte(x>>32)] ^ tables[2][byte(x>>40)] ^ tables[1][byte(x>>48)] ^ tables[0][x>>56]
}
