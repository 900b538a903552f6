//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "fmt"

// Bytes of an edge tuple: in the official program's packed form, and in narrow form, which has room for labels below
// 2^32.
const (
	edgeBytes   = int64(C.sizeof_g500_edge)
	NarrowBytes = int64(C.sizeof_g500_narrow_edge)
)

// edges are the tuples that fill a run of memory, as the C door takes them.
func edges(m Memory) (*C.g500_edge, C.uint64_t) {
	return pointer[C.g500_edge](m.address), C.uint64_t(m.bytes / edgeBytes)
}

// WeightBytes are those of an edge tuple's weight.
const WeightBytes = int64(C.sizeof_float)

// weightsOf are the weights of so many tuples that fill a run of memory, as the C door takes them.
func weightsOf(count C.uint64_t, m Memory) (*C.float, error) {
	if m.bytes != int64(count)*WeightBytes {
		return nil, fmt.Errorf("cuda: %d bytes of weights for %d edge tuples", m.bytes, count)
	}
	return pointer[C.float](m.address), nil
}

// Narrow writes tuples in narrow form to the front of a run of memory. Their labels are below 2^32. It returns before
// the device has written them.
func (d *Device) Narrow(tuples, into Memory) error {
	from, count := edges(tuples)
	into = into.Part(0, int64(count)*NarrowBytes)
	code := C.g500_narrow(from, count, pointer[C.g500_narrow_edge](into.address), d.onStream())
	return check("narrowing edge tuples", code)
}

// Widen writes tuples to a run of memory that they fill, from narrow ones at the front of another. It returns before
// the device has written them.
func (d *Device) Widen(narrow, into Memory) error {
	to, count := edges(into)
	narrow = narrow.Part(0, int64(count)*NarrowBytes)
	code := C.g500_widen(pointer[C.g500_narrow_edge](narrow.address), count, to, d.onStream())
	return check("widening edge tuples", code)
}

// Kronecker are the parameters of an official graph that its edge tuples depend on.
type Kronecker struct {
	Scale        int
	Seed1, Seed2 uint64
}

// Generate writes the official edge tuples from number first on to a run of memory, as many as it has room for. It
// returns before the device has written them.
func (d *Device) Generate(g Kronecker, first int64, into Memory) error {
	return d.generate(g, first, into, nil)
}

// GenerateWeighted is Generate with the weights of the tuples, which fill a run of memory of their own.
func (d *Device) GenerateWeighted(g Kronecker, first int64, into, weights Memory) error {
	_, count := edges(into)
	list, err := weightsOf(count, weights)
	if err != nil {
		return err
	}
	return d.generate(g, first, into, list)
}

func (d *Device) generate(g Kronecker, first int64, into Memory, weights *C.float) error {
	tuples, count := edges(into)
	graph := C.g500_kronecker{scale: C.int(g.Scale), seed1: C.uint64_t(g.Seed1), seed2: C.uint64_t(g.Seed2)}
	code := C.g500_generate(&graph, C.uint64_t(first), count, tuples, weights, d.onStream())
	return check("generating edge tuples", code)
}
