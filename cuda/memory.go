// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

import (
	"fmt"
	"runtime"
	"unsafe"

	"gorgonia.org/cu"
)

// Memory is a range of device memory that a device accesses: its own, or a peer's. It does not own the memory.
type Memory struct {
	device  *Device
	address cu.DevicePtr
	bytes   int64
}

// At returns device memory at an address that C functions have returned.
func (d *Device) At(address unsafe.Pointer, bytes int64) Memory {
	return Memory{d, cu.DevicePtr(address), bytes}
}

// Bytes returns the length.
func (m Memory) Bytes() int64 { return m.bytes }

// Address returns the device address.
func (m Memory) Address() uintptr { return uintptr(m.address) }

// Part returns a range of the memory. It panics if the range is out of bounds, as slicing does.
func (m Memory) Part(offset, bytes int64) Memory {
	if offset < 0 || bytes < 0 || offset > m.bytes-bytes {
		panic(fmt.Sprintf("cuda: %d bytes from byte %d on are not in a memory of %d bytes", bytes, offset, m.bytes))
	}
	return Memory{m.device, m.address + cu.DevicePtr(offset), bytes}
}

// Foreign returns the memory as a slice for libraries that accept device addresses, such as a CUDA-aware MPI. Go code
// must not access the elements.
func (m Memory) Foreign() []byte { return unsafe.Slice(pointer[byte](m.address), m.bytes) }

// Buffer is memory that Free releases: allocated by Alloc, opened by OpenShared or mapped by MapFile.
type Buffer struct {
	Memory
	Allocated
}

// Alloc allocates device memory. The label describes its purpose in the ledger.
func (d *Device) Alloc(label string, bytes int64) (*Buffer, error) {
	address, err := cu.MemAlloc(max(bytes, 1))
	if err != nil {
		return nil, d.Explain(checkDriver(fmt.Sprintf("allocating %d bytes for %s", bytes, label), err))
	}
	held := d.ledger.add(&holding{label, bytes, func() error {
		return checkDriver("freeing "+label, cu.MemFree(address))
	}})
	return &Buffer{Memory{d, address, bytes}, Allocated{d, held}}, nil
}

// at returns the address and the size of n elements from number first on. It is an error if they are not in the memory.
func at[T any](m Memory, first int64, n int) (address cu.DevicePtr, bytes int64, err error) {
	var element T
	size := int64(unsafe.Sizeof(element))
	bytes = size * int64(n)
	if first < 0 || size*first+bytes > m.bytes {
		return 0, 0, fmt.Errorf("cuda: %d elements of %d bytes from number %d on are not in a memory of %d bytes",
			n, size, first, m.bytes)
	}
	return m.address + cu.DevicePtr(size*first), bytes, nil
}

// Read waits for the device's work and copies elements from device memory, from number first on. T must have no
// pointers.
func Read[T any](dst []T, m Memory, first int64) error {
	address, bytes, err := at[T](m, first, len(dst))
	if err != nil || bytes == 0 {
		return err
	}
	return m.device.wait("copying from the device", unsafe.SliceData(dst), func() error {
		return cu.MemcpyDtoHAsync(unsafe.Pointer(unsafe.SliceData(dst)), address, bytes, m.device.stream)
	})
}

// Write waits for the device's work and copies elements to device memory, from number first on. T must have no
// pointers.
func Write[T any](m Memory, first int64, src []T) error {
	address, bytes, err := at[T](m, first, len(src))
	if err != nil || bytes == 0 {
		return err
	}
	return m.device.wait("copying to the device", unsafe.SliceData(src), func() error {
		return cu.MemcpyHtoDAsync(address, unsafe.Pointer(unsafe.SliceData(src)), bytes, m.device.stream)
	})
}

// wait starts a copy from or to host memory on the device's stream and waits for it. The host memory is pinned
// meanwhile.
func (d *Device) wait(call string, host any, start func() error) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(host)
	if err := start(); err != nil {
		return checkDriver(call, err)
	}
	return checkDriver(call, d.stream.Synchronize())
}

// Copy starts to copy device memory, of this device or its peers, after the device's earlier work.
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

// Clear starts to write zeros, after the device's earlier work.
func (d *Device) Clear(m Memory) error {
	if m.bytes == 0 {
		return nil
	}
	return checkDriver("clearing memory", cu.MemsetD8Async(m.address, 0, m.bytes, d.stream))
}

// pointer converts a device address for C functions. The host must not dereference it.
func pointer[T any](address cu.DevicePtr) *T { return *(**T)(unsafe.Pointer(&address)) }
