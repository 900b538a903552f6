// SPDX-License-Identifier: Apache-2.0

// Package net measures messages between the ranks of a job: latency and bandwidth of each pair of ranks, as the OSU
// micro-benchmarks do, and levels of searches without vertices. It names pairs that are slower than similar pairs. The
// caller provides the clock.
package net
