// Package net measures how quickly messages go between the ranks of a job: latency and bandwidth of each pair of
// ranks, in the manner of the OSU micro-benchmarks, and of all ranks together, in the manner of nccl-tests. It names
// pairs that are slower than others of their kind, and writes what the model of searches takes from it.
//
// It has no clock of its own: who measures brings one.
package net
