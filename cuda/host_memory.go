//go:build cuda && cgo

package cuda

// #cgo LDFLAGS: -lcuda
// #define _GNU_SOURCE
// #include <cuda.h>
// #include <sys/mman.h>
//
// // An unnamed memory file does not use /dev/shm, and is freed when no process has it open or mapped.
// static int g500_memory_file(void) { return memfd_create("g500", MFD_CLOEXEC); }
import "C"

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"unsafe"

	"gorgonia.org/cu"
)

// Pinned is page-locked host memory outside of Go's heap. It must not be used after Free.
type Pinned struct {
	allocated
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
	return &Pinned{allocated{d, held}, unsafe.Slice((*byte)(address), bytes)}, nil
}

// NewMemoryFile creates an unnamed file of zeroed host memory for MapFile. All its memory is allocated at once.
func NewMemoryFile(bytes int64) (*os.File, error) {
	fd, err := C.g500_memory_file()
	if fd < 0 {
		return nil, fmt.Errorf("cuda: creating a memory file: %w", err)
	}
	file := os.NewFile(uintptr(fd), "memory")
	if err := syscall.Fallocate(int(fd), 0, 0, bytes); err != nil {
		return nil, errors.Join(fmt.Errorf("cuda: allocating %d bytes of host memory: %w", bytes, err), file.Close())
	}
	return file, nil
}

// MapFile maps a memory file, also of another process, and gives this device access to it. The mapping remains valid
// after the file is closed.
func (d *Device) MapFile(label string, file *os.File, bytes int64) (*Buffer, error) {
	memory, err := syscall.Mmap(int(file.Fd()), 0, int(bytes), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("cuda: mapping %s: %w", label, err)
	}
	at := unsafe.Pointer(unsafe.SliceData(memory))
	var address C.CUdeviceptr
	code := C.cuMemHostRegister(at, C.size_t(bytes), C.CU_MEMHOSTREGISTER_PORTABLE|C.CU_MEMHOSTREGISTER_DEVICEMAP)
	if code == C.CUDA_SUCCESS {
		code = C.cuMemHostGetDevicePointer(&address, at, 0)
	}
	if err := check("giving the device access to "+label, C.int(code)); err != nil {
		C.cuMemHostUnregister(at) // fails if the memory is not registered
		return nil, errors.Join(err, syscall.Munmap(memory))
	}
	held := d.ledger.add(&holding{label, 0, func() error {
		return errors.Join(check("freeing "+label, C.int(C.cuMemHostUnregister(at))), syscall.Munmap(memory))
	}})
	return &Buffer{Memory{d, cu.DevicePtr(address), bytes}, allocated{d, held}}, nil
}
