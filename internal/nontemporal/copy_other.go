// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 && !arm64

package nontemporal

import "unsafe"

// Copy copies lines from one place to another, which starts at the boundary of a line. Other goroutines see them after
// this one has called Drain.
func Copy(to, from unsafe.Pointer, lines int) {
	copy(unsafe.Slice((*byte)(to), lines*LineBytes), unsafe.Slice((*byte)(from), lines*LineBytes))
}

// Stream is Copy for many lines, which it loads ahead.
func Stream(to, from unsafe.Pointer, lines int) { Copy(to, from, lines) }

// Drain completes all copies of this thread: other threads then see them before its later writes.
func Drain() {}
