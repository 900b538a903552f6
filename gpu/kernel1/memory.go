// SPDX-License-Identifier: Apache-2.0

package kernel1

// MaxIDs32 is the largest number of 32-bit labels or packed global ids, because the highest word means no vertex.
// Graphs with more of either have 64-bit labels or ids (ADR 26).
const MaxIDs32 = 1<<32 - 2

// Bytes of device memory per item. Vertices are non-isolated vertices: in large official graphs, about half of the
// labels.
const (
	colBytes     = 4     // per directed edge: its end
	RowBytes     = 8 + 4 // per vertex: the offset of its row, its label
	LocalIDBytes = 4     // per owned label: its local id
	Spare        = 1 << 29
)

// Share returns the largest share of n items that are distributed over ranks.
func Share(n int64, ranks int) int64 { return (n + int64(ranks) - 1) / int64(ranks) }

// Structure returns the largest size of a graph with 32-bit ids.
func Structure(tuples, vertices int64) int64 {
	return colBytes*2*tuples + (RowBytes+LocalIDBytes)*vertices
}

// RoundTuples is the number of tuples whose ends each rank sends at a time: half a gigabyte of messages.
const RoundTuples = 1 << 25

// roundCapacity returns the capacity in messages of each buffer of a round of that many tuples. On graphs with even
// degrees a rank receives about as many messages as it sends, two per tuple; the capacity is 25% larger. The ends of
// one tuple of each rank always fit.
func roundCapacity(tuples int64, ranks int) int64 { return max(tuples*2*5/4, 2*int64(ranks)) }

// RoundBytes returns the device memory for exchanging messages of that size on ranks with that many tuples.
func RoundBytes(tuples int64, ranks int, message int64) int64 {
	return ExchangeBytes(roundCapacity(min(RoundTuples, tuples), ranks), message)
}

// ExchangeBytes returns the device memory of an exchange: three buffers for that many messages of that size.
func ExchangeBytes(capacity, message int64) int64 { return 3 * message * capacity }
