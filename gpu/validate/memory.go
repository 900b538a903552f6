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
	receivedBits  = 1       // the same, on several ranks: such bits from other ranks
	label64Bytes  = 8       // per parent in a window, if labels exceed 32 bits; else 4
	DeviceWindow  = 1 << 28 // vertices whose parents are checked in one pass over the tuples
	HostWindow    = 4 * DeviceWindow
	leastSorted   = 1 << 26 // working memory for sorting tuples, which uses more if it is free
	DistanceBytes = 4       // per label of all ranks, for shortest paths
)

// Memory estimates the device memory of a validator. window is the number of vertices of all ranks in a window.
func Memory(p kronecker.Params, ranks int, window int64) int64 {
	vertices := int64(p.Vertices())
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
