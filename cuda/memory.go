//go:build cuda && cgo

package cuda

import (
	"fmt"
	"runtime"
	"unsafe"

	"gorgonia.org/cu"
)

// Memory is a run of device memory, as the device reaches it that works on it: its own, or a peer's. It does not own
// it.
type Memory struct {
	device  *Device
	address cu.DevicePtr
	bytes   int64
}

// run is device memory that a C function allocated.
func (d *Device) run(address unsafe.Pointer, bytes int64) Memory {
	return Memory{d, cu.DevicePtr(address), bytes}
}

// Bytes is the length.
func (m Memory) Bytes() int64 { return m.bytes }

// Part is a run of bytes inside the memory. Like a slice's its bounds are checked, and wrong ones panic.
func (m Memory) Part(offset, bytes int64) Memory {
	if offset < 0 || bytes < 0 || offset > m.bytes-bytes {
		panic(fmt.Sprintf("cuda: %d bytes from %d on do not lie in %d bytes", bytes, offset, m.bytes))
	}
	return Memory{m.device, m.address + cu.DevicePtr(offset), bytes}
}

// Foreign is the memory as a slice for libraries that know device addresses, such as an MPI that is CUDA-aware. Go
// itself must not look into it.
func (m Memory) Foreign() []byte { return unsafe.Slice(pointer[byte](m.address), m.bytes) }

// Buffer is device memory that was taken by Alloc, or is a peer's and was opened by OpenShared.
type Buffer struct {
	Memory
	held *holding
}

// Alloc takes memory of the device. The label says in the ledger what it is for.
func (d *Device) Alloc(label string, bytes int64) (*Buffer, error) {
	address, err := cu.MemAlloc(max(bytes, 1))
	if err != nil {
		return nil, d.short(checkDriver(fmt.Sprintf("taking %d bytes for %s", bytes, label), err))
	}
	held := d.ledger.add(&holding{label, bytes, func() error {
		return checkDriver("freeing "+label, cu.MemFree(address))
	}})
	return &Buffer{Memory{d, address, bytes}, held}, nil
}

// Free gives the memory back. It may be called again.
func (b *Buffer) Free() error { return b.device.ledger.remove(b.held) }

// at is the address of an element, of which n from there on must lie in the memory.
func at[T any](m Memory, first int64, n int) (address cu.DevicePtr, bytes int64, err error) {
	var element T
	size := int64(unsafe.Sizeof(element))
	bytes = size * int64(n)
	if first < 0 || size*first+bytes > m.bytes {
		return 0, 0, fmt.Errorf("cuda: %d elements of %d bytes from number %d on do not lie in %d bytes",
			n, size, first, m.bytes)
	}
	return m.address + cu.DevicePtr(size*first), bytes, nil
}

// Read copies elements from number first on out of device memory, when all work given to the device before is done. T
// must have no pointers.
func Read[T any](dst []T, m Memory, first int64) error {
	address, bytes, err := at[T](m, first, len(dst))
	if err != nil || bytes == 0 {
		return err
	}
	return m.device.wait("copying from the device", unsafe.SliceData(dst), func() error {
		return cu.MemcpyDtoHAsync(unsafe.Pointer(unsafe.SliceData(dst)), address, bytes, m.device.stream)
	})
}

// Write copies elements into device memory, from number first on, when all work given to the device before is done. T
// must have no pointers.
func Write[T any](m Memory, first int64, src []T) error {
	address, bytes, err := at[T](m, first, len(src))
	if err != nil || bytes == 0 {
		return err
	}
	return m.device.wait("copying to the device", unsafe.SliceData(src), func() error {
		return cu.MemcpyHtoDAsync(address, unsafe.Pointer(unsafe.SliceData(src)), bytes, m.device.stream)
	})
}

// wait starts a copy from or to host memory on the device's stream and waits for it. Meanwhile the host memory stays
// where it is.
func (d *Device) wait(doing string, host any, start func() error) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(host)
	if err := start(); err != nil {
		return checkDriver(doing, err)
	}
	return checkDriver(doing, d.stream.Synchronize())
}

// Copy copies device memory, of which either may be a peer's, after all work given to the device before. It does not
// wait.
func (d *Device) Copy(to, from Memory) error { return copyOn(d.stream, to, from) }

func copyOn(stream cu.Stream, to, from Memory) error {
	if to.bytes != from.bytes {
		return fmt.Errorf("cuda: %d bytes cannot be copied to %d bytes", from.bytes, to.bytes)
	}
	if to.bytes == 0 {
		return nil
	}
	return checkDriver("copying on the device", cu.MemcpyAsync(to.address, from.address, to.bytes, stream))
}

// Clear writes zeros, after all work given to the device before. It does not wait.
func (d *Device) Clear(m Memory) error {
	if m.bytes == 0 {
		return nil
	}
	return checkDriver("clearing memory", cu.MemsetD8Async(m.address, 0, m.bytes, d.stream))
}

// pointer is an address in device memory as the C door takes it. It is never followed on the host.
func pointer[T any](address cu.DevicePtr) *T { return *(**T)(unsafe.Pointer(&address)) }
