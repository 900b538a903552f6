// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"fmt"
	"os"

	"g500/policy"
)

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

// tryPrelaunch finds the behaviour of launches on the device.
func (d *Device) tryPrelaunch() (Launching, error) {
	var found C.int
	err := check("trying a launch", C.g500_try_prelaunch(&found, d.onStream()))
	return Launching(found), err
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
