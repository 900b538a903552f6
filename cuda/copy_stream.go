// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include <cuda.h>
import "C"

import (
	"errors"
	"unsafe"

	"gorgonia.org/cu"
)

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
