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
	"os"
	"runtime"
	"sync"
	"unsafe"

	"gorgonia.org/cu"

	"g500/internal/trace"
	"g500/policy"
)

// Card has the driver's description of a GPU.
type Card struct {
	Number     int
	Name       string
	Major      int // compute capability
	Minor      int
	Processors int    // streaming multiprocessors
	Memory     int64  // bytes
	BusID      string // PCI bus id, the same in all processes of a node
	UUID       string // the same in all processes; a MIG instance has its own, although it has the bus id of its card
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
	var noBusID, noUUID error
	card.BusID, noBusID = busIDOf(number)
	card.UUID, noUUID = uuidOf(number)
	return card, cmp.Or(checkDriver(fmt.Sprintf("querying GPU %d", number), err), noBusID, noUUID)
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
	var found C.int
	if C.g500_try_prelaunch(&found, d.onStream()) != 0 {
		found = C.G500_LAUNCHES_BLOCK // transports launch no kernel, and the first launch of a search returns the error
	}
	d.launch = Launching(found)
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

// Launching is the behaviour of kernel launches on a device.
type Launching int

const (
	LaunchesReturn  Launching = C.G500_LAUNCHES_RETURN     // launches return while their kernel runs
	LaunchesBlock   Launching = C.G500_LAUNCHES_BLOCK      // they return when it has ended
	KernelsAreShort Launching = C.G500_KERNELS_ARE_LIMITED // the driver aborts long kernels
)

// String returns the reason why searches are not launched before their root is known, "" if they are.
func (l Launching) String() string {
	switch l {
	case LaunchesBlock:
		return "no pre-launch: launches wait for the end of their kernels (CUDA_LAUNCH_BLOCKING, a debugger or a profiler)"
	case KernelsAreShort:
		return "no pre-launch: the driver aborts long kernels on this GPU, because it has a display"
	}
	return ""
}

// Launching returns the behaviour of launches on the device.
func (d *Device) Launching() Launching { return d.launch }

// prelaunching returns the policy, without pre-launch if the device does not allow it.
func (d *Device) prelaunching(p policy.Policy) policy.Policy {
	if d.launch != LaunchesReturn {
		p.Prelaunch = 0
	}
	return p
}

// NextConcurrencyTrial returns the number of the next trial in this process. All ranks of the trial must call it before
// one of them calls TryConcurrency.
func (d *Device) NextConcurrencyTrial() (uint32, error) {
	var number C.uint32_t
	err := check("preparing a trial of kernels that wait for each other", C.g500_next_concurrency_trial(&number))
	return uint32(number), err
}

// TryConcurrency launches a kernel that waits for the kernels of this process's other ranks, and returns an error if
// they do not run within two seconds. All ranks call it at the same time, with places 0 to ranks-1.
func (d *Device) TryConcurrency(number uint32, place, ranks int) error {
	var all C.int
	code := C.g500_try_concurrency(C.uint32_t(number), C.uint32_t(place), C.uint32_t(ranks), &all, d.onStream())
	if err := check("trying kernels that wait for each other", code); err != nil || all != 0 {
		return err
	}
	cause := "they share hardware queues of a GPU: use at most " + mostConnections + " ranks, or a process for each " +
		"(mpirun)"
	if value := os.Getenv(connections); value != "" && value != mostConnections {
		cause = fmt.Sprintf("%s=%s makes them share a hardware queue: unset it", connections, value)
	}
	if d.launch == LaunchesBlock {
		cause = "a launch waits for the end of its kernel: unset CUDA_LAUNCH_BLOCKING, or start a process for each rank " +
			"(mpirun)"
	}
	return fmt.Errorf("cuda: kernels of the %d ranks of this process do not run at the same time, which searches need; "+
		"%s", ranks, cause)
}

// mostKernels is the largest number of kernels with their own times.
const mostKernels = 64

// TimeKernels turns the timing of kernels on or off, and drops earlier times. While it is on, this rank waits for each
// kernel, which makes everything slower.
func (d *Device) TimeKernels(on bool) { C.g500_time_kernels(yes(on), d.onStream()) }

// KernelTimes returns the times of kernels in the order of their first launches.
func (d *Device) KernelTimes() []trace.KernelTime {
	var c [mostKernels]C.g500_kernel_time
	times := make([]trace.KernelTime, C.g500_kernel_times(&c[0], mostKernels))
	for i := range times {
		times[i] = trace.KernelTime{Name: C.GoString(&c[i].name[0]), Launches: int64(c[i].launches),
			Seconds: float64(c[i].nanoseconds) / 1e9}
	}
	return times
}
