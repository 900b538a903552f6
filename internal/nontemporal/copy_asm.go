// SPDX-License-Identifier: Apache-2.0

//go:build amd64 || arm64

package nontemporal

import "unsafe"

// Copy copies lines from one place to another, which starts at the boundary of a line. Other goroutines see them after
// this one has called Drain.
//
//go:noescape
func Copy(to, from unsafe.Pointer, lines int)

// Widen is Copy for lines of 64-bit numbers, from as many 32-bit numbers with sign.
//
//go:noescape
func Widen(to, from unsafe.Pointer, lines int)

// Drain completes all copies of this thread: other threads then see them before its later writes.
func Drain()
