//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

// KernelTime is what all launches of one kernel took together.
type KernelTime struct {
	Name        string
	Launches    int64
	Nanoseconds int64
}

// mostKernels bounds the kernels that have times of their own.
const mostKernels = 64

// TimeKernels turns the timing of kernels on or off. While it is on, this rank waits for each kernel, which makes
// everything slower. Earlier times are dropped.
func (d *Device) TimeKernels(on bool) {
	c := C.int(0)
	if on {
		c = 1
	}
	C.g500_time_kernels(c, d.onStream())
}

// KernelTimes lists the kernels that were timed, in the order of their first launches.
func (d *Device) KernelTimes() []KernelTime {
	var c [mostKernels]C.g500_kernel_time
	times := make([]KernelTime, C.g500_kernel_times(&c[0], mostKernels))
	for i := range times {
		times[i] = KernelTime{C.GoString(&c[i].name[0]), int64(c[i].launches), int64(c[i].nanoseconds)}
	}
	return times
}
