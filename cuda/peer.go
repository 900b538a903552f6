// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include <cuda.h>
import "C"

import (
	"cmp"
	"fmt"
	"unsafe"

	"gorgonia.org/cu"
)

// busIDBytes is the longest PCI bus id, with its final zero.
const busIDBytes = 32

// busIDOf returns the PCI bus id of a GPU.
func busIDOf(number int) (string, error) {
	var id [busIDBytes]C.char
	code := C.cuDeviceGetPCIBusId(&id[0], busIDBytes, C.CUdevice(number))
	return C.GoString(&id[0]), check(fmt.Sprintf("querying the bus id of GPU %d", number), C.int(code))
}

func uuidOf(number int) (string, error) {
	var id C.CUuuid
	code := C.cuDeviceGetUuid_v2(&id, C.CUdevice(number))
	b := C.GoBytes(unsafe.Pointer(&id), C.sizeof_CUuuid)
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]),
		check(fmt.Sprintf("querying the UUID of GPU %d", number), C.int(code))
}

// numberOf returns the driver's number of the GPU with a UUID. It is an error if this process does not see the GPU.
func numberOf(uuid string) (int, error) {
	n, err := cu.NumDevices()
	if err != nil {
		return 0, checkDriver("counting the GPUs", err)
	}
	for number := range n {
		if id, err := uuidOf(number); err != nil || id == uuid {
			return number, err
		}
	}
	return 0, fmt.Errorf("cuda: the GPU %s is not visible to this process: let each rank see all GPUs of its node, as "+
		"srun does with --gpus-per-node in place of --gpus-per-task; MIG instances do not reach each other", uuid)
}

// Reach enables this device's kernels and copies to access the memory of another GPU of the node, by its UUID. here
// reports whether this process opens the other GPU. It is an error if that GPU is not visible to this process or cannot
// be accessed.
func (d *Device) Reach(uuid string, here bool) error {
	number, err := numberOf(uuid)
	if err != nil {
		return err
	}
	if number == d.Number {
		return nil
	}
	other := cu.Device(number)
	able, err := cu.Device(d.Number).CanAccessPeer(other)
	if err != nil {
		return checkDriver("querying access to the GPU "+uuid, err)
	}
	if able == 0 {
		return fmt.Errorf("cuda: GPU %d cannot access the memory of the GPU %s, as nvidia-smi topo -p2p rw shows",
			d.Number, uuid)
	}
	if !here {
		return nil // OpenShared enables access
	}
	context, err := other.RetainPrimaryCtx()
	if err == nil {
		err = context.EnablePeerAccess(0)
	}
	if err = checkDriver("enabling access to the GPU "+uuid, err); hasCode(err, peerAccessAlreadyEnabled) {
		return nil
	}
	return err
}

// Apart returns the pairs of this process's GPUs of which one cannot access the memory of the other.
func Apart() (pairs [][2]int, err error) {
	n, err := cu.NumDevices()
	if err != nil {
		return nil, checkDriver("counting the GPUs", err)
	}
	for a := range n {
		for b := range a {
			there, err := cu.Device(a).CanAccessPeer(cu.Device(b))
			back, failed := cu.Device(b).CanAccessPeer(cu.Device(a))
			if err := cmp.Or(err, failed); err != nil {
				return nil, checkDriver("querying access between GPUs", err)
			}
			if there == 0 || back == 0 {
				pairs = append(pairs, [2]int{b, a})
			}
		}
	}
	return pairs, nil
}

// HasAtomics reports whether this GPU's kernels have atomics in the memory of a GPU that it reaches, by its UUID.
// NVLink has them, PCIe does not.
func (d *Device) HasAtomics(uuid string) (bool, error) {
	number, err := numberOf(uuid)
	if err != nil || number == d.Number {
		return err == nil, err
	}
	var has C.int
	code := C.cuDeviceGetP2PAttribute(&has, C.CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, C.CUdevice(d.Number),
		C.CUdevice(number))
	return has != 0, check("querying atomics in the memory of the GPU "+uuid, C.int(code))
}

// Handle identifies device memory for another rank of the node.
type Handle struct {
	Address, Bytes int64                      // the address in the process that owns the memory
	IPC            [C.CU_IPC_HANDLE_SIZE]byte // the driver's handle for other processes
}

// Share returns a handle of memory that has an allocation of its own. beyond reports whether other processes open it.
func (m Memory) Share(beyond bool) (h Handle, err error) {
	h.Address, h.Bytes = int64(m.address), m.bytes
	if beyond {
		code := C.cuIpcGetMemHandle((*C.CUipcMemHandle)(unsafe.Pointer(&h.IPC)), C.CUdeviceptr(m.address))
		err = check("sharing device memory with other processes", C.int(code))
	}
	return h, err
}

// OpenShared opens memory of a peer that this device reaches. here reports whether this process owns it. The owner may
// free the memory only after Free has closed the buffer.
func (d *Device) OpenShared(h Handle, here bool) (*Buffer, error) {
	m := Memory{d, cu.DevicePtr(h.Address), h.Bytes}
	release := func() error { return nil }
	if !here {
		var address C.CUdeviceptr
		ipc := *(*C.CUipcMemHandle)(unsafe.Pointer(&h.IPC))
		code := C.cuIpcOpenMemHandle(&address, ipc, C.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
		if err := check("opening a peer's memory", C.int(code)); err != nil {
			return nil, err
		}
		m.address = cu.DevicePtr(address)
		release = func() error { return check("closing a peer's memory", C.int(C.cuIpcCloseMemHandle(address))) }
	}
	return &Buffer{m, Allocated{d, d.ledger.add(&holding{"memory of a peer", 0, release})}}, nil
}
