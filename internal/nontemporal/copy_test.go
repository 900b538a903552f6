// SPDX-License-Identifier: Apache-2.0

package nontemporal

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// Copy and Stream write exactly the lines, from any address.
func TestCopy(t *testing.T) {
	for name, copyLines := range map[string]func(to, from unsafe.Pointer, lines int){"Copy": Copy, "Stream": Stream} {
		t.Run(name, func(t *testing.T) { copiesLines(t, copyLines) })
	}
}

func copiesLines(t *testing.T, copyLines func(to, from unsafe.Pointer, lines int)) {
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
		copyLines(unsafe.Pointer(&to[0]), unsafe.Pointer(&from[7]), lines)
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
