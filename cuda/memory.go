//go:build cuda && cgo

package cuda

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"
)

// Memory is a run of device memory. It does not own it.
type Memory struct {
	address cu.DevicePtr
	bytes   int64
}

// run is device memory that a C function allocated.
func run(address unsafe.Pointer, bytes int64) Memory { return Memory{cu.DevicePtr(address), bytes} }

// Buffer is device memory that was taken by Alloc.
type Buffer struct {
	Memory
	device *Device
	held   *holding
}

// Alloc takes memory of the device. The label says in the ledger what it is for.
func (d *Device) Alloc(label string, bytes int64) (*Buffer, error) {
	address, err := cu.MemAlloc(max(bytes, 1))
	if err != nil {
		return nil, d.short(checkDriver(fmt.Sprintf("taking %d bytes for %s", bytes, label), err))
	}
	b := &Buffer{Memory{address, bytes}, d, nil}
	b.held = d.ledger.add(&holding{label, bytes, func() error {
		return checkDriver("freeing "+label, cu.MemFree(address))
	}})
	return b, nil
}

// Free gives the memory back. It may be called again.
func (b *Buffer) Free() error { return b.device.ledger.remove(b.held) }

// at is the address of an element, of which n from there on must lie in the memory.
func at[T any](m Memory, first int64, n int) (address cu.DevicePtr, bytes int64, err error) {
	var element T
	size := int64(unsafe.Sizeof(element))
	bytes = size * int64(n)
	if first < 0 || size*first+bytes > m.bytes {
		return 0, 0, fmt.Errorf("cuda: %d elements of %d bytes from number %d on do not lie in %d bytes", n, size, first, m.bytes)
	}
	return m.address + cu.DevicePtr(size*first), bytes, nil
}

// Read copies elements from number first on out of device memory. T must have no pointers.
func Read[T any](dst []T, m Memory, first int64) error {
	address, bytes, err := at[T](m, first, len(dst))
	if err != nil || bytes == 0 {
		return err
	}
	return checkDriver("copying from the device", cu.MemcpyDtoH(unsafe.Pointer(unsafe.SliceData(dst)), address, bytes))
}

// Write copies elements into device memory, from number first on. T must have no pointers.
func Write[T any](m Memory, first int64, src []T) error {
	address, bytes, err := at[T](m, first, len(src))
	if err != nil || bytes == 0 {
		return err
	}
	return checkDriver("copying to the device", cu.MemcpyHtoD(address, unsafe.Pointer(unsafe.SliceData(src)), bytes))
}

// pointer is an address in device memory as the C door takes it. It is never followed on the host.
func pointer[T any](address cu.DevicePtr) *T { return *(**T)(unsafe.Pointer(&address)) }
