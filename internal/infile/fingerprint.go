// SPDX-License-Identifier: Apache-2.0

package infile

import "fmt"

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
