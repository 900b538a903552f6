// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #cgo LDFLAGS: -lcuda
// #include <cuda.h>
import "C"

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"
)

// Pinned is page-locked host memory outside of Go's heap. It must not be used after Free.
type Pinned struct {
	Allocated
	Bytes []byte
}

// AllocPinned allocates host memory for copies to and from any GPU.
func (d *Device) AllocPinned(label string, bytes int64) (*Pinned, error) {
	var address unsafe.Pointer
	code := C.cuMemHostAlloc(&address, C.size_t(max(bytes, 1)), C.CU_MEMHOSTALLOC_PORTABLE)
	call := fmt.Sprintf("allocating %d bytes of pinned host memory for %s", bytes, label)
	if err := check(call, C.int(code)); err != nil {
		return nil, err
	}
	held := d.ledger.add(&holding{label, 0, func() error {
		return checkDriver("freeing "+label, cu.MemFreeHost(address))
	}})
	return &Pinned{Allocated{d, held}, unsafe.Slice((*byte)(address), bytes)}, nil
}
