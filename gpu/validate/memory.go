package validate

import (
	"g500/gpu/kernel1"
	"g500/kronecker"
)

// Bytes and bits of device memory per item, and the sizes of windows.
const (
	bytesPerLabel  = 1       // a label, of a rank that is alone: its level in four bits, bitmaps
	BitsPerLabel   = 6       // a label of all ranks: its level, in four bits, and two more
	wideLabelBytes = 8       // a parent in a window, of labels beyond 32 bits; of others 4
	DeviceWindow   = 1 << 28 // vertices whose parents are checked in one pass over the tuples
	HostWindow     = 4 * DeviceWindow
	DistanceBytes  = 4 // a label of all ranks: its distance, for shortest paths
)

// Memory estimates the memory of a validator with windows of that many vertices of all ranks.
func Memory(p kronecker.Params, ranks int, window int64) int64 {
	vertices := int64(p.Vertices())
	if ranks == 1 {
		return bytesPerLabel * vertices
	}
	window = min(window, vertices+int64(ranks)<<7) // slices are made of 128 places
	label := int64(4)
	if vertices > kernel1.MaxNarrow {
		label = wideLabelBytes
	}
	return BitsPerLabel*vertices/8 + bytesPerLabel*kernel1.Share(vertices, ranks)/8 + label*window + 2*window/8
}
