// SPDX-License-Identifier: Apache-2.0

package prefetch

import (
	"testing"

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
