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

// Pinned is host memory that stays in place, so that the device copies from and to it by itself. It lies outside of
// Go's memory; nobody may use it after Free.
type Pinned struct {
	Bytes  []byte
	device *Device
	held   *holding
}

// AllocPinned takes host memory for copies to and from any GPU.
func (d *Device) AllocPinned(label string, bytes int64) (*Pinned, error) {
	var address unsafe.Pointer
	code := C.cuMemHostAlloc(&address, C.size_t(max(bytes, 1)), C.CU_MEMHOSTALLOC_PORTABLE)
	taking := fmt.Sprintf("taking %d bytes of pinned host memory for %s", bytes, label)
	if err := check(taking, C.int(code)); err != nil {
		return nil, err
	}
	held := d.ledger.add(&holding{label, 0, func() error {
		return checkDriver("freeing "+label, cu.MemFreeHost(address))
	}})
	return &Pinned{unsafe.Slice((*byte)(address), bytes), d, held}, nil
}

// Free gives the memory back. It may be called again.
func (p *Pinned) Free() error { return p.device.ledger.remove(p.held) }
