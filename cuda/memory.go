// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #cgo LDFLAGS: -lcuda
// #include <cuda.h>
import "C"

import (
	"errors"
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

// Buffer is memory that Free releases: allocated by Alloc or opened by OpenShared.
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

// elements returns the memory of n elements from number first on. It panics if they are not in the memory.
func elements[T any](m Memory, first, n int64) Memory {
	size := int64(unsafe.Sizeof(*new(T)))
	return m.Part(size*first, size*n)
}

// array is elements for C functions.
func array[T any](m Memory, first, n int64) *T { return pointer[T](elements[T](m, first, n).address) }

// Read waits for the device's work and copies elements from device memory, from number first on. T must have no
// pointers.
func Read[T any](dst []T, m Memory, first int64) error {
	from := elements[T](m, first, int64(len(dst)))
	if from.bytes == 0 {
		return nil
	}
	return m.device.wait("copying from the device", unsafe.SliceData(dst), func() error {
		return cu.MemcpyDtoHAsync(unsafe.Pointer(unsafe.SliceData(dst)), from.address, from.bytes, m.device.stream)
	})
}

// Write waits for the device's work and copies elements to device memory, from number first on. T must have no
// pointers.
func Write[T any](m Memory, first int64, src []T) error {
	to := elements[T](m, first, int64(len(src)))
	if to.bytes == 0 {
		return nil
	}
	return m.device.wait("copying to the device", unsafe.SliceData(src), func() error {
		return cu.MemcpyHtoDAsync(to.address, unsafe.Pointer(unsafe.SliceData(src)), to.bytes, m.device.stream)
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

// CopyStream is a stream for copies that overlap with the work on the device's own stream. Its copies are done in
// order. They do not wait for work on the device's stream: a caller that needs its results synchronizes the device
// first.
type CopyStream struct {
	Allocated
	stream cu.Stream
}

// NewCopyStream creates a stream. Free waits for its copies and destroys it.
func (d *Device) NewCopyStream() (*CopyStream, error) {
	stream, err := cu.MakeStream(cu.NonBlocking)
	if err != nil {
		return nil, checkDriver("creating a copy stream", err)
	}
	held := d.ledger.add(&holding{"copy stream", 0, func() error {
		return errors.Join(checkDriver("waiting for copies", stream.Synchronize()),
			checkDriver("destroying a copy stream", stream.Destroy()))
	}})
	return &CopyStream{Allocated{d, held}, stream}, nil
}

// InOrder returns the device's own stream, for copies in order with its kernels. It is not freed.
func (d *Device) InOrder() *CopyStream { return &CopyStream{stream: d.stream} }

// Copy starts to copy device memory, of this device or its peers.
func (s *CopyStream) Copy(to, from Memory) error { return copyOn(s.stream, to, from) }

// Read starts to copy device memory to the front of pinned memory.
func (s *CopyStream) Read(to []byte, from Memory) error {
	if from.bytes == 0 {
		return nil
	}
	host := unsafe.Pointer(&to[:from.bytes][0])
	return checkDriver("copying from the device", cu.MemcpyDtoHAsync(host, from.address, from.bytes, s.stream))
}

// Write starts to copy pinned memory to the front of device memory.
func (s *CopyStream) Write(to Memory, from []byte) error {
	if len(from) == 0 {
		return nil
	}
	to = to.Part(0, int64(len(from)))
	host := unsafe.Pointer(&from[0])
	return checkDriver("copying to the device", cu.MemcpyHtoDAsync(to.address, host, to.bytes, s.stream))
}

// Wait waits for the stream's work.
func (s *CopyStream) Wait() error { return checkDriver("waiting for copies", s.stream.Synchronize()) }

// Done reports whether the stream's work is done, without waiting.
func (s *CopyStream) Done() (bool, error) { return done(unsafe.Pointer(s.stream.C())) }

func done(stream unsafe.Pointer) (bool, error) {
	code := C.cuStreamQuery(C.CUstream(stream))
	if code == C.CUDA_ERROR_NOT_READY {
		return false, nil
	}
	return code == C.CUDA_SUCCESS, check("querying a stream", C.int(code))
}
