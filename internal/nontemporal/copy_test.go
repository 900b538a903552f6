// SPDX-License-Identifier: Apache-2.0

package nontemporal

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"g500/internal/expect"
)

// Copy writes exactly the lines, from any address.
func TestCopy(t *testing.T) {
	memory := make([]byte, 20*LineBytes)
	start := int(-uintptr(unsafe.Pointer(&memory[0])) % LineBytes)
	for lines := range 10 {
		from := make([]byte, lines*LineBytes+9)
		for i := range from {
			from[i] = byte(rand.Uint32())
		}
		for i := range memory {
			memory[i] = 77
		}
		to := memory[start+LineBytes:]
		Copy(unsafe.Pointer(&to[0]), unsafe.Pointer(&from[7]), lines)
		Drain()
		if n := lines * LineBytes; !slices.Equal(to[:n], from[7:7+n]) {
			t.Errorf("%d lines were not copied", lines)
		}
		for i, b := range memory {
			if at := i - start - LineBytes; (at < 0 || at >= lines*LineBytes) && b != 77 {
				t.Errorf("%d lines: byte %d was changed", lines, at)
			}
		}
	}
}

// Widen keeps the sign of each number.
func TestWiden(t *testing.T) {
	memory := make([]int64, 4*Widened)
	start := int(-uintptr(unsafe.Pointer(&memory[0]))%LineBytes) / 8
	from := []int32{0, 1, -1, math.MaxInt32, math.MinInt32, 5, -6, 7, 8, 9, -10, 11, 12, 13, 14, -15, 16, 17}
	for i := range memory {
		memory[i] = 77
	}
	to := memory[start : start+3*Widened]
	Widen(unsafe.Pointer(&to[0]), unsafe.Pointer(&from[1]), 2)
	Drain()
	for i, n := range to {
		want := int64(77)
		if i < 2*Widened {
			want = int64(from[1+i])
		}
		expect.Equal(t, n, want, "number", i)
	}
}
