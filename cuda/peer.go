//go:build cuda && cgo

package cuda

// #include <cuda.h>
import "C"

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"gorgonia.org/cu"
)

// busIDBytes is room for a PCI bus id and the zero that ends it.
const busIDBytes = 32

// BusID names the GPU alike in all processes of its host, whatever number it has there.
func (d *Device) BusID() (string, error) {
	var id [busIDBytes]C.char
	code := C.cuDeviceGetPCIBusId(&id[0], busIDBytes, C.CUdevice(d.Number))
	return C.GoString(&id[0]), check(fmt.Sprintf("asking for the bus id of GPU %d", d.Number), C.int(code))
}

// Reach prepares to use the memory of another GPU of this host, by its bus id, from this one's kernels and copies. It
// is an error if that GPU is not visible to this process, or there is no way to it. here says that the other GPU is
// opened by this process.
func (d *Device) Reach(busID string, here bool) error {
	id := append([]byte(busID), 0)
	var number C.CUdevice
	if code := C.cuDeviceGetByPCIBusId(&number, (*C.char)(unsafe.Pointer(&id[0]))); code != C.CUDA_SUCCESS {
		return fmt.Errorf("cuda: the GPU at %s is not visible to this process: let each rank see all GPUs "+
			"of its host, as srun does with --gpus-per-node in place of --gpus-per-task", busID)
	}
	if int(number) == d.Number {
		return nil
	}
	other := cu.Device(number)
	able, err := cu.Device(d.Number).CanAccessPeer(other)
	if err != nil {
		return checkDriver("asking for the way to the GPU at "+busID, err)
	}
	if able == 0 {
		return fmt.Errorf("cuda: GPU %d has no way to the memory of the GPU at %s, as nvidia-smi topo -p2p rw shows",
			d.Number, busID)
	}
	if !here {
		return nil // opening its memory prepares the rest
	}
	context, err := other.RetainPrimaryCtx()
	if err == nil {
		err = context.EnablePeerAccess(0)
	}
	if err = checkDriver("enabling access to the GPU at "+busID, err); hasCode(err, peerAccessAlreadyEnabled) {
		return nil
	}
	return err
}

// HasAtomics reports whether this GPU's kernels have atomics in the memory of another GPU of this host, by its bus id,
// to which there is a way. By NVLink they have, by PCIe not.
func (d *Device) HasAtomics(busID string) (bool, error) {
	id := append([]byte(busID), 0)
	var number C.CUdevice
	what := "asking for atomics in the memory of the GPU at " + busID
	code := C.cuDeviceGetByPCIBusId(&number, (*C.char)(unsafe.Pointer(&id[0])))
	if err := check(what, C.int(code)); err != nil || int(number) == d.Number {
		return err == nil, err
	}
	var has C.int
	code = C.cuDeviceGetP2PAttribute(&has, C.CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, C.CUdevice(d.Number), number)
	return has != 0, check(what, C.int(code))
}

// Handle tells another rank of the same host where a Buffer lies.
type Handle [8 + 8 + C.CU_IPC_HANDLE_SIZE]byte

// The parts of a handle: address and length in the process that has made it, and what other processes need.
const (
	handleBytes = 8
	handleIPC   = 16
)

// Share makes a handle of memory that is allocated by itself. beyond says that other processes will open it, too.
func (m Memory) Share(beyond bool) (h Handle, err error) {
	binary.NativeEndian.PutUint64(h[:], uint64(m.address))
	binary.NativeEndian.PutUint64(h[handleBytes:], uint64(m.bytes))
	if beyond {
		code := C.cuIpcGetMemHandle((*C.CUipcMemHandle)(unsafe.Pointer(&h[handleIPC])), C.CUdeviceptr(m.address))
		err = check("sharing device memory with other processes", C.int(code))
	}
	return h, err
}

// OpenShared opens the buffer of a peer that this device reaches. here says that the handle was made in this process.
// Free closes it; only then may its owner free the memory.
func (d *Device) OpenShared(h Handle, here bool) (*Buffer, error) {
	m := Memory{d, cu.DevicePtr(binary.NativeEndian.Uint64(h[:])), int64(binary.NativeEndian.Uint64(h[handleBytes:]))}
	release := func() error { return nil }
	if !here {
		var address C.CUdeviceptr
		ipc := *(*C.CUipcMemHandle)(unsafe.Pointer(&h[handleIPC]))
		code := C.cuIpcOpenMemHandle(&address, ipc, C.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
		if err := check("opening a peer's memory", C.int(code)); err != nil {
			return nil, err
		}
		m.address = cu.DevicePtr(address)
		release = func() error { return check("closing a peer's memory", C.int(C.cuIpcCloseMemHandle(address))) }
	}
	return &Buffer{m, d.ledger.add(&holding{"memory of a peer", 0, release})}, nil
}
