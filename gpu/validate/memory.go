package validate

import (
	"g500/gpu/kernel1"
	"g500/kronecker"
)

// Device memory per item, and sizes of windows.
const (
	bytesPerLabel = 1       // per label, on one rank: four bits for the level, and four bits in bitmaps
	BitsPerLabel  = 6       // per label of all ranks: four bits for the level, and two in bitmaps
	label64Bytes  = 8       // per parent in a window, if labels exceed 32 bits; else 4
	DeviceWindow  = 1 << 28 // vertices whose parents are checked in one pass over the tuples
	HostWindow    = 4 * DeviceWindow
	DistanceBytes = 4 // per label of all ranks, for shortest paths
)

// Memory estimates the device memory of a validator. window is the number of vertices of all ranks in a window.
func Memory(p kronecker.Params, ranks int, window int64) int64 {
	vertices := int64(p.Vertices())
	if ranks == 1 {
		return bytesPerLabel * vertices
	}
	window = min(window, vertices+int64(ranks)<<7) // slices are multiples of 128 vertices
	label := int64(4)
	if vertices > kernel1.MaxIDs32 {
		label = label64Bytes
	}
	return BitsPerLabel*vertices/8 + bytesPerLabel*kernel1.Share(vertices, ranks)/8 + label*window + 2*window/8
}
