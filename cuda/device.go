// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #cgo CFLAGS: -I${SRCDIR}
// #cgo LDFLAGS: -L${SRCDIR}/../build -lg500cuda -lcudadevrt -lcudart_static -lstdc++ -lm -lrt -lpthread -ldl
// #include <cuda.h>
// #include "g500cuda.h"
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"gorgonia.org/cu"
)

// Card has the driver's description of a GPU.
type Card struct {
	Number     int
	Name       string
	Major      int // compute capability
	Minor      int
	Processors int   // streaming multiprocessors
	Memory     int64 // bytes
}

// String describes the card.
func (c Card) String() string {
	return fmt.Sprintf("GPU %d, %s, %d multiprocessors, compute capability %d.%d",
		c.Number, c.Name, c.Processors, c.Major, c.Minor)
}

// Device is an open GPU with one stream, on which all its work is done in order. The stream does not wait for other
// streams, such as the streams of other ranks on the GPU. Therefore the default stream must not be used.
type Device struct {
	Card
	context cu.CUContext
	stream  cu.Stream
	ledger  ledger
	launch  Launching
}

// Cards returns the GPUs that this process may use.
func Cards() ([]Card, error) {
	n, err := cu.NumDevices()
	if err != nil {
		return nil, checkDriver("counting the GPUs", err)
	}
	cards := make([]Card, n)
	for i := range cards {
		if cards[i], err = describe(i); err != nil {
			return nil, err
		}
	}
	return cards, nil
}

// describe queries the driver about a GPU, without opening it.
func describe(number int) (Card, error) {
	card := Card{Number: number}
	device, err := cu.GetDevice(number)
	if err == nil {
		card.Name, err = device.Name()
	}
	if err == nil {
		card.Major, card.Minor, err = device.ComputeCapability()
	}
	if err == nil {
		card.Processors, err = device.Attribute(cu.MultiprocessorCount)
	}
	if err == nil {
		card.Memory, err = device.TotalMem()
	}
	return card, checkDriver(fmt.Sprintf("querying GPU %d", number), err)
}

// CardOf returns the GPU of a rank, by its number among the ranks of its node. If a node has more ranks than GPUs, they
// share GPUs. If the launcher gives each task its own GPU, the task sees only this one.
func CardOf(rankOnNode int) (Card, error) {
	n, err := cu.NumDevices()
	if err = cmp.Or(checkVersions(), checkDriver("counting the GPUs", err)); err == nil && n == 0 {
		err = errors.New("cuda: this process may use no GPU; is CUDA_VISIBLE_DEVICES empty?")
	}
	if err != nil {
		return Card{}, err
	}
	return describe(rankOnNode % n)
}

// Open opens the GPU of a rank. It locks the calling goroutine to its thread, and Close unlocks it.
func Open(rankOnNode int) (*Device, error) {
	card, err := CardOf(rankOnNode)
	if err != nil {
		return nil, err
	}
	d := &Device{Card: card}
	if err := d.enter(); err != nil {
		return nil, err
	}
	if d.launch, err = d.tryPrelaunch(); err != nil {
		d.launch = LaunchesBlock // transports launch no kernel, and the first launch of a search returns the error
	}
	return d, nil
}

// settingUp is held while a GPU's primary context is created, which ranks of one process may share.
var settingUp sync.Mutex

// enter makes the primary context current in this thread, because the CUDA runtime uses it for kernels. Waits spin,
// because a search ends sooner than a thread wakes up. This can be set only before the context exists.
func (d *Device) enter() error {
	settingUp.Lock()
	defer settingUp.Unlock()
	device := cu.Device(d.Number)
	_, active, err := device.PrimaryCtxState()
	if err == nil && active == 0 {
		err = device.SetPrimaryCtxFlags(cu.SchedSpin)
	}
	if err != nil {
		return checkDriver(fmt.Sprintf("setting up GPU %d", d.Number), err)
	}
	if d.context, err = device.RetainPrimaryCtx(); err != nil {
		return checkDriver(fmt.Sprintf("opening GPU %d", d.Number), err)
	}
	if err := d.context.Lock(); err != nil {
		return checkDriver(fmt.Sprintf("entering GPU %d", d.Number), err)
	}
	if d.stream, err = cu.MakeStream(cu.NonBlocking); err != nil {
		runtime.UnlockOSThread()
	}
	return checkDriver("making a stream", err)
}

// Close frees all memory of the device and unlocks the goroutine from its thread. The context remains until the process
// ends, because the CUDA runtime has loaded the kernels into it and other ranks may use it.
func (d *Device) Close() error {
	defer runtime.UnlockOSThread()
	return errors.Join(d.Synchronize(), d.ledger.clear(), checkDriver("destroying the stream", d.stream.Destroy()))
}

// Free returns the free memory in bytes.
func (d *Device) Free() (int64, error) {
	free, _, err := cu.MemInfo()
	return free, checkDriver("querying free memory", err)
}

// Synchronize waits until the device's work is done, and returns an error of this work.
func (d *Device) Synchronize() error {
	return checkDriver(fmt.Sprintf("waiting for GPU %d", d.Number), d.stream.Synchronize())
}

// Enter locks the calling goroutine to its thread, and makes the GPU current there, for calls of another goroutine than
// the rank's.
func (d *Device) Enter() error {
	return checkDriver(fmt.Sprintf("entering GPU %d", d.Number), d.context.Lock())
}

// Done reports whether the device's work is done, without waiting.
func (d *Device) Done() (bool, error) { return done(d.onStream()) }

// Stream returns the CUDA stream for libraries that put work on it.
func (d *Device) Stream() unsafe.Pointer { return d.onStream() }

// onStream returns the stream for C functions.
func (d *Device) onStream() unsafe.Pointer { return unsafe.Pointer(d.stream.C()) }

// kernels describes the compiled kernels. The build sets it, with a hash of the library, so that Go links a program
// again if only a kernel has changed.
var kernels = "unknown kernels"

// Built returns the CUDA version of the build and its kernels.
func Built() string { return fmt.Sprintf("CUDA %s, %s", version(C.CUDA_VERSION), kernels) }

// Driver returns the newest CUDA version that the installed driver supports.
func Driver() string { return "CUDA " + version(cu.Version()) }

// version formats the number 12040 as 12.4.
func version(number int) string { return fmt.Sprintf("%d.%d", number/1000, number%1000/10) }

// checkVersions returns an error if the driver does not support the major version of the build.
func checkVersions() error {
	if cu.Version()/1000 >= C.CUDA_VERSION/1000 {
		return nil
	}
	return fmt.Errorf("cuda: the NVIDIA driver supports CUDA up to %s, but this program was built with CUDA %s: "+
		"update the driver, or build with an older toolkit", version(cu.Version()), version(C.CUDA_VERSION))
}
