// SPDX-License-Identifier: Apache-2.0

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
// one, so it computes the checksums of the quarters of a long p together, and combines them.
func update(crc uint64, p []byte) uint64 {
	const short = 4 << 10
	quarter := len(p) / 32 * 8
	if quarter < short {
		return crc64.Update(crc, &tables[0], p)
	}
	x := [4]uint64{^crc, ^uint64(0), ^uint64(0), ^uint64(0)}
	p0, p1, p2, p3 := p[:quarter], p[quarter:2*quarter], p[2*quarter:3*quarter], p[3*quarter:4*quarter]
	for len(p0) >= 8 && len(p1) >= 8 && len(p2) >= 8 && len(p3) >= 8 {
		x[0] = step(x[0] ^ binary.LittleEndian.Uint64(p0))
		x[1] = step(x[1] ^ binary.LittleEndian.Uint64(p1))
		x[2] = step(x[2] ^ binary.LittleEndian.Uint64(p2))
		x[3] = step(x[3] ^ binary.LittleEndian.Uint64(p3))
		p0, p1, p2, p3 = p0[8:], p1[8:], p2[8:], p3[8:]
	}
	crc = ^x[0]
	for _, next := range x[1:] {
		crc = times(crc, power(int64(quarter))) ^ ^next
	}
	return crc64.Update(crc, &tables[0], p[4*quarter:])
}

// step returns the state of a checksum after eight bytes; x is the state before, xor the bytes.
func step(x uint64) uint64 {
	return tables[7][byte(x)] ^ tables[6][byte(x>>8)] ^ tables[5][byte(x>>16)] ^ tables[4][byte(x>>24)] ^
		tables[3][byte(x>>32)] ^ tables[2][byte(x>>40)] ^ tables[1][byte(x>>48)] ^ tables[0][x>>56]
}
