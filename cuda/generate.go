// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "g500/kronecker"

// Bytes of an edge tuple: in the format of the Graph500 reference code, and as two 32-bit labels for labels
// below 2^32.
const (
	edgeBytes   = int64(C.sizeof_g500_edge)
	Edge32Bytes = int64(C.sizeof_g500_edge32)
)

// edges returns the tuples that fill a memory.
func edges(m Memory) (*C.g500_edge, C.uint64_t) {
	return pointer[C.g500_edge](m.address), C.uint64_t(m.bytes / edgeBytes)
}

// WeightBytes is the size of an edge tuple's weight.
const WeightBytes = int64(C.sizeof_float)

// weightsOf returns the weights of count tuples, or nil if m is empty.
func weightsOf(count C.uint64_t, m Memory) *C.float {
	if m.bytes == 0 {
		return nil
	}
	return array[C.float](m, 0, int64(count))
}

// Pack starts to write tuples as two 32-bit labels each to the front of into. Their labels are below 2^32.
func (d *Device) Pack(tuples, into Memory) error {
	from, count := edges(tuples)
	to := array[C.g500_edge32](into, 0, int64(count))
	return check("packing edge tuples", C.g500_pack_edges(from, count, to, d.onStream()))
}

// Unpack starts to write tuples that fill into, from packed tuples at the front of packed.
func (d *Device) Unpack(packed, into Memory) error {
	to, count := edges(into)
	from := array[C.g500_edge32](packed, 0, int64(count))
	return check("unpacking edge tuples", C.g500_unpack_edges(from, count, to, d.onStream()))
}

// Generate starts to write the official edge tuples that fill into, from number first on, and their weights if weights
// is not empty.
func (d *Device) Generate(p kronecker.Params, first int64, into, weights Memory) error {
	tuples, count := edges(into)
	graph := C.g500_kronecker{scale: C.int(p.Scale), seed1: C.uint64_t(p.Seed1), seed2: C.uint64_t(p.Seed2)}
	code := C.g500_generate(&graph, C.uint64_t(first), count, tuples, weightsOf(count, weights), d.onStream())
	return check("generating edge tuples", code)
}
