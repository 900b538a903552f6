//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

// edgeBytes is the size of a packed edge tuple.
const edgeBytes = int64(C.sizeof_g500_edge)

// Kronecker are the parameters of an official graph that its edge tuples depend on.
type Kronecker struct {
	Scale        int
	Seed1, Seed2 uint64
}

// Generate writes the official edge tuples first to first+count-1 to a run of memory. It returns before the device has
// written them.
func (d *Device) Generate(g Kronecker, first, count int64, into Memory) error {
	graph := C.g500_kronecker{scale: C.int(g.Scale), seed1: C.uint64_t(g.Seed1), seed2: C.uint64_t(g.Seed2)}
	return check("generating edge tuples", C.g500_generate(&graph, C.uint64_t(first), C.uint64_t(count),
		pointer[C.g500_edge](into.address), d.onStream()))
}
