//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "gorgonia.org/cu"

// edgeBytes is the size of a packed edge tuple.
const edgeBytes = int64(C.sizeof_g500_edge)

// Generate writes the official edge tuples first to first+count-1 to a buffer, in which tuple i has the place i-base.
// It returns before the device has written them.
func (d *Device) Generate(scale int, seed1, seed2 uint64, first, count int64, into *Buffer, base int64) error {
	address := into.address + cu.DevicePtr((first-base)*edgeBytes)
	graph := C.g500_kronecker{scale: C.int(scale), seed1: C.uint64_t(seed1), seed2: C.uint64_t(seed2)}
	return check("generating edge tuples", C.g500_generate(&graph, C.uint64_t(first), C.uint64_t(count),
		pointer[C.g500_edge](address), d.onStream()))
}
