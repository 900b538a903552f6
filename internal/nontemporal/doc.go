// SPDX-License-Identifier: Apache-2.0

// Package nontemporal writes complete cache lines past the caches, without reading them from memory first.
// Processors other than x86-64 and Arm write through the caches.
package nontemporal

// LineBytes is the size of a cache line.
const LineBytes = 64

// Widened is the number of 64-bit numbers in a cache line, which Widen writes at a time.
const Widened = LineBytes / 8
