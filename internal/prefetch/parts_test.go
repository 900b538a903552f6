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

// Lines are loaded without changes, also at the last byte of a page.
func TestLines(t *testing.T) {
	memory := make([]byte, 1<<16)
	for i := range memory {
		memory[i] = byte(i)
	}
	var lines []unsafe.Pointer
	for i := range 100 {
		Each(lines)
		Own(lines)
		lines = append(lines, unsafe.Pointer(&memory[len(memory)-1-i*97]))
	}
	for i, b := range memory {
		if b != byte(i) {
			t.Fatalf("byte %d is %d", i, b)
		}
	}
}

// Batches cover a slice in order, and each is loaded before the previous one is used.
func TestInBatches(t *testing.T) {
	for _, n := range []int{0, 1, Batch, Batch + 1, 100} {
		s := make([]int, n)
		loaded, used := 0, 0
		InBatches(s, func(batch []int) { loaded += len(batch) }, func(batch []int) {
			if used += len(batch); loaded < min(used+Batch, n) || &batch[len(batch)-1] != &s[used-1] {
				t.Errorf("%d elements: %d are loaded when %d are used", n, loaded, used)
			}
		})
		expect.Equal(t, used, n, "elements of all batches")
	}
}
