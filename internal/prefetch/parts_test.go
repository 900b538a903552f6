// SPDX-License-Identifier: Apache-2.0

package prefetch

import (
	"testing"
	"unsafe"

	"g500/internal/expect"
)

// The parts of a slice cover it in order.
func TestParts(t *testing.T) {
	for _, n := range []int{0, 1, Grain, Grain + 1, 1000, 100_000} {
		s := make([]uint16, n)
		for i := range s {
			s[i] = uint16(i)
		}
		next := 0
		for at, part := range Parts(s) {
			if at != next || len(part) == 0 || len(part) > Grain {
				t.Fatalf("of %d elements a part of %d is at %d, want %d", n, len(part), at, next)
			}
			for i, v := range part {
				if v != uint16(at+i) {
					t.Fatalf("element %d of %d is %d", at+i, n, v)
				}
			}
			next += len(part)
		}
		expect.Equal(t, next, n, "elements of all parts")
	}
}

// Own leaves memory as it is, also at the last byte of a page.
func TestOwn(t *testing.T) {
	memory := make([]byte, 1<<16)
	for i := range memory {
		memory[i] = byte(i)
	}
	var lines []unsafe.Pointer
	for i := range 100 {
		Own(lines)
		lines = append(lines, unsafe.Pointer(&memory[len(memory)-1-i*97]))
	}
	for i, b := range memory {
		if b != byte(i) {
			t.Fatalf("byte %d is %d", i, b)
		}
	}
}
