// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"g500/gpu/kernel1"
	"g500/kronecker"
)

// Device memory per item, and sizes of windows.
const (
	ownBits       = 2       // per owned label: in bitmaps
	BitsPerLabel  = 8       // per label of all ranks: six bits for the level, and two in bitmaps;
	bitsPerID64   = 6       // four and two, if labels exceed 32 bits
	WindowBits    = 9       // per label of a window: a hint at the parent, and one bit for whether a tuple joins it
	receivedBits  = 1 + 2   // the same, on several ranks: such bits from other ranks; the order of parents
	label64Bytes  = 8       // per parent in a window, if labels exceed 32 bits; else 4
	DeviceWindow  = 1 << 28 // vertices whose parents are checked in one pass over tuples in device memory;
	SlowWindow    = 1 << 30 // over other tuples
	leastSorted   = 1 << 26 // working memory for sorting tuples, which uses more if it is free
	DistanceBytes = 4       // per label of all ranks, for shortest paths
)

// Device memory of a validator by messages to owners, per owned label.
const (
	levelBytes = 4
	joinedBits = 1
)

// ByOwners reports whether trees are validated by messages to the owners of vertices. Messages cost time: two of 16
// bytes per tuple. Without them the levels of all ranks' vertices take 12 GiB at scale 34, on each rank; beyond that
// they would not fit.
func ByOwners(vertices int64, ranks int) bool { return ranks > 1 && vertices > 1<<34 }

// roundBytes returns the bytes of each buffer of messages in rounds of that many tuples: 25% more than a rank sends, as
// on even graphs, and at least the tuples of one round of one tuple from each rank.
func roundBytes(round int64, ranks int) int64 { return messageBytes * max(round*5/4, int64(ranks)) }

// messageBytes is the size of a message about a tuple.
const messageBytes = 16

// Memory estimates the device memory of a validator. window is the number of vertices of all ranks in a window.
func Memory(p kronecker.Params, ranks int, window int64) int64 {
	vertices := int64(p.Vertices())
	if ByOwners(vertices, ranks) {
		own := kernel1.Share(vertices, ranks)
		return (8*levelBytes+joinedBits)*own/8 + kernel1.ExchangeBytes(roundBytes(kernel1.RoundTuples, ranks), 1)
	}
	label, each := int64(4), int64(BitsPerLabel)
	if vertices > kernel1.MaxIDs32 {
		label, each = label64Bytes, bitsPerID64
	}
	bits := each*vertices + ownBits*kernel1.Share(vertices, ranks)
	if ranks == 1 {
		return (bits + WindowBits*vertices) / 8
	}
	window = min(window, vertices+int64(ranks)<<7) // slices are multiples of 128 vertices
	return bits/8 + label*window + (WindowBits+receivedBits)*window/8
}

// busiest returns the first of the three consecutive levels that probably have most ends of tuples: those with the most
// vertices. If others have nearly as many, it is the highest ones, because hubs are near the root.
func busiest(sizes []uint64) (first int) {
	most := uint64(0)
	for i := range sizes {
		vertices := uint64(0)
		for _, size := range sizes[i:min(i+3, len(sizes))] {
			vertices += size
		}
		if vertices > most+most/16 {
			most, first = vertices, i
		}
	}
	return first
}
