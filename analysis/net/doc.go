// Package net measures messages between the ranks of a job: latency and bandwidth of each pair of ranks, as the OSU
// micro-benchmarks do, and of all ranks together, as nccl-tests do. It names pairs that are slower than similar pairs.
// The caller provides the clock.
package net
