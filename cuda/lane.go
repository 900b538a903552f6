//go:build cuda && cgo

package cuda

// #include <cuda.h>
import "C"

import (
	"errors"
	"unsafe"

	"gorgonia.org/cu"
)

// Lane is a stream beside the device's own, for copies that are under way at the same time as others. Copies of one
// lane are done in order. They do not wait for work given to the device: a caller that needs it synchronizes the device
// first.
type Lane struct {
	stream cu.Stream
	device *Device
	held   *holding
}

// NewLane makes a lane. The device closes it if nobody else has.
func (d *Device) NewLane() (*Lane, error) {
	stream, err := cu.MakeStream(cu.NonBlocking)
	if err != nil {
		return nil, checkDriver("making a stream", err)
	}
	held := d.ledger.add(&holding{"lane", 0, func() error {
		return errors.Join(checkDriver("waiting for copies", stream.Synchronize()),
			checkDriver("destroying a stream", stream.Destroy()))
	}})
	return &Lane{stream, d, held}, nil
}

// Copy starts to copy device memory, of which either may be a peer's.
func (l *Lane) Copy(to, from Memory) error { return copyOn(l.stream, to, from) }

// Read starts to copy device memory to the front of pinned memory.
func (l *Lane) Read(to []byte, from Memory) error {
	address, bytes, err := at[byte](from, 0, int(from.bytes))
	if err != nil || bytes == 0 {
		return err
	}
	host := unsafe.Pointer(&to[:bytes][0])
	return checkDriver("copying from the device", cu.MemcpyDtoHAsync(host, address, bytes, l.stream))
}

// Write starts to copy pinned memory to the front of device memory.
func (l *Lane) Write(to Memory, from []byte) error {
	address, bytes, err := at[byte](to, 0, len(from))
	if err != nil || bytes == 0 {
		return err
	}
	return checkDriver("copying to the device", cu.MemcpyHtoDAsync(address, unsafe.Pointer(&from[0]), bytes, l.stream))
}

// Wait returns when all copies of the lane are done.
func (l *Lane) Wait() error { return checkDriver("waiting for copies", l.stream.Synchronize()) }

// Done reports whether all work of the lane is done. It does not wait.
func (l *Lane) Done() (bool, error) {
	code := C.cuStreamQuery(C.CUstream(l.Handle()))
	if code == C.CUDA_ERROR_NOT_READY {
		return false, nil
	}
	return code == C.CUDA_SUCCESS, check("asking for the work of a stream", C.int(code))
}

// Handle is the lane's stream for libraries that put work on it.
func (l *Lane) Handle() unsafe.Pointer { return unsafe.Pointer(l.stream.C()) }

// Close waits for what is under way and gives the lane back. It may be called again.
func (l *Lane) Close() error { return l.device.ledger.remove(l.held) }
