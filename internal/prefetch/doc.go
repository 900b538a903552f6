// SPDX-License-Identifier: Apache-2.0

// Package prefetch loads slices that a loop reads in order into the caches ahead of their use. On one virtual
// machine a loop then reads 11 GB/s on two cores instead of 4, on another one it gains 0 to 7% (ADR 45).
package prefetch
