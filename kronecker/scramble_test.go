// SPDX-License-Identifier: Apache-2.0

package kronecker

import "testing"

// The specification requires a permutation of the labels.
func TestScrambleIsAPermutation(t *testing.T) {
	for scale := 1; scale <= 14; scale++ {
		s := newScrambler(seeded(2, 3), scale)
		taken := make([]bool, 1<<scale)
		for v := range uint64(1) << scale {
			label := s.label(v)
			if label < 0 || int(label) >= len(taken) || taken[label] {
				t.Fatalf("scale %d, vertex %d: label %d is out of range or taken", scale, v, label)
			}
			taken[label] = true
		}
	}
}
