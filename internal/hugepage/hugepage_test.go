// SPDX-License-Identifier: Apache-2.0

package hugepage

import (
	"testing"
	"unsafe"
)

// Make returns writable zeros for any length, at the boundary of a cache line or a huge page.
func TestMake(t *testing.T) {
	for _, n := range []int{0, 1, 1000, size / 8, size/8 + 1, size, 3 * size} {
		s := Make[uint64](n)
		boundary := uintptr(lineBytes)
		if 8*n >= size {
			boundary = size
		}
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(s))); len(s) != n || cap(s) != n || at%boundary != 0 {
			t.Fatalf("%d words of %d, want %d; the first one is %d bytes from a boundary", len(s), cap(s), n, at%boundary)
		}
		for i := range s {
			if s[i] != 0 {
				t.Fatalf("word %d of %d is %d", i, n, s[i])
			}
			s[i] = uint64(i)
		}
		Populate(2, s)
		for i := range s {
			if s[i] != uint64(i) {
				t.Fatalf("word %d of %d is %d after it was written", i, n, s[i])
			}
		}
	}
}
