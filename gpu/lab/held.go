// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package lab

// #cgo CFLAGS: -I${SRCDIR}/../../cuda
// #cgo LDFLAGS: -L${SRCDIR}/../../build -lg500lab -lg500cuda -lcudadevrt -lcudart_static
// #cgo LDFLAGS: -lstdc++ -lm -lrt -lpthread -ldl
// #include "lab/lab.h"
import "C"

import (
	"errors"
	"runtime"
	"unsafe"

	"g500/cuda"
	"g500/lab"
)

// held is the device memory of a C object.
type held struct {
	memory cuda.Allocated
	device *cuda.Device
	any    bool // false before hold, and after free
}

// hold calls create for a graph, whose memory does not move during the call. free frees the memory; label and call name
// both in errors.
func (h *held) hold(g *lab.Graph, label, call string, create func(*C.g500_lab_graph) C.int, free func()) (err error) {
	if len(g.Offsets) < 2 || uint64(len(g.Offsets)) > 1<<32-1 {
		return errors.New("cuda: a graph of the laboratory has from 1 to 2^32-3 vertices: choose another one")
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(unsafe.SliceData(g.Offsets))
	graph := C.g500_lab_graph{
		vertices: C.uint32_t(g.Vertices()), edges: C.uint64_t(len(g.Columns)),
		offsets: (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(g.Offsets))),
	}
	if len(g.Columns) > 0 {
		pin.Pin(unsafe.SliceData(g.Columns))
		graph.columns = (*C.uint32_t)(unsafe.SliceData(g.Columns))
	}
	if g.Symmetric {
		graph.symmetric = 1
	}
	h.memory, err = h.device.Allocate(label, func() error { return cuda.Check(call, int(create(&graph))) }, free)
	h.any = err == nil
	return err
}

// free frees the memory, if there is any.
func (h *held) free() error {
	if !h.any {
		return nil
	}
	h.any = false
	return h.memory.Free()
}

// check returns the error of a call with this code, nil for 0.
func (h *held) check(call string, code C.int) error {
	return h.device.Explain(cuda.Check(call, int(code)))
}

// read copies a word per item from an address on the device.
func (h *held) read(into []uint32, from *C.uint32_t) error {
	return cuda.Read(into, h.device.At(unsafe.Pointer(from), 4*int64(len(into))), 0)
}

// leftOut returns the reason, which is ErrLeftOut, for an error with this code, else the error.
func leftOut(err error, code int, reason error) error {
	var fault *cuda.Error
	if errors.As(err, &fault) && fault.Code == code {
		return reason
	}
	return err
}
