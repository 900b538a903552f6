// SPDX-License-Identifier: Apache-2.0

package infile

import (
	"encoding/binary"
	"fmt"
	"hash/crc64"
)

// Fingerprint is the length of a run of bytes and its checksum, CRC-64/XZ: the one that 7z h -scrcCRC64 prints. The
// zero value is the fingerprint of no bytes.
type Fingerprint struct {
	Bytes int64
	CRC64 uint64
}

// Write adds bytes to the end of the run. It never fails.
func (f *Fingerprint) Write(p []byte) (int, error) {
	f.Bytes += int64(len(p))
	f.CRC64 = update(f.CRC64, p)
	return len(p), nil
}

// Then returns the fingerprint of two runs of bytes, f's and then next's.
func (f Fingerprint) Then(next Fingerprint) Fingerprint {
	shifted := times(f.CRC64, power(next.Bytes))
	return Fingerprint{f.Bytes + next.Bytes, shifted ^ next.CRC64}
}

// String returns the length and the checksum for a sentence.
func (f Fingerprint) String() string { return fmt.Sprintf("%d bytes with CRC-64 %s", f.Bytes, f.Hex()) }

// Hex returns the checksum as 16 hexadecimal digits.
func (f Fingerprint) Hex() string { return fmt.Sprintf("%016x", f.CRC64) }

// times returns the product of two polynomials over GF(2), modulo the polynomial of the checksum.
func times(a, b uint64) (product uint64) {
	for bit := uint64(1) << 63; bit != 0; bit >>= 1 {
		if a&bit != 0 {
			product ^= b
		}
		if b&1 != 0 {
			b = b>>1 ^ polynomial
		} else {
			b >>= 1
		}
	}
	return product
}

// power returns x^(8 bytes), modulo the polynomial of the checksum.
func power(bytes int64) uint64 {
	const one, x8 = uint64(1) << 63, uint64(1) << 55
	result, square := one, x8
	for ; bytes > 0; bytes >>= 1 {
		if bytes&1 != 0 {
			result = times(result, square)
		}
		square = times(square, square)
	}
	return result
}

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
