//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

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

// tryPrelaunch finds the behaviour of launches on the device.
func (d *Device) tryPrelaunch() (Launching, error) {
	var found C.int
	err := check("trying a launch", C.g500_try_prelaunch(&found, d.onStream()))
	return Launching(found), err
}

// on returns the policy for a device: searches are pre-launched only if the device allows it.
func (p Policy) on(d *Device) Policy {
	if d.launch != LaunchesReturn {
		p.Prelaunch = 0
	}
	return p
}
