// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 && !arm64

package nontemporal

import "unsafe"

// Copy copies lines from one place to another, which starts at the boundary of a line. Other goroutines see them after
// this one has called Drain.
func Copy(to, from unsafe.Pointer, lines int) {
	copy(unsafe.Slice((*byte)(to), lines*LineBytes), unsafe.Slice((*byte)(from), lines*LineBytes))
}

// Widen is Copy for lines of 64-bit numbers, from as many 32-bit numbers with sign.
func Widen(to, from unsafe.Pointer, lines int) {
	long := unsafe.Slice((*int64)(to), lines*Widened)
	for i, n := range unsafe.Slice((*int32)(from), lines*Widened) {
		long[i] = int64(n)
	}
}

// Drain completes all copies of this thread: other threads then see them before its later writes.
func Drain() {}
