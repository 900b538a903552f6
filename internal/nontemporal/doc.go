// SPDX-License-Identifier: Apache-2.0

// Package nontemporal writes complete cache lines past the caches, without reading them from memory first.
// Processors other than x86-64 and Arm write through the caches.
package nontemporal

// LineBytes is the size of a cache line.
const LineBytes = 64
