//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

// KernelTime is the total time of all launches of a kernel.
type KernelTime struct {
	Name        string
	Launches    int64
	Nanoseconds int64
}

// mostKernels is the largest number of kernels with their own times.
const mostKernels = 64

// TimeKernels turns the timing of kernels on or off, and drops earlier times. While it is on, this rank waits for each
// kernel, which makes everything slower.
func (d *Device) TimeKernels(on bool) { C.g500_time_kernels(yes(on), d.onStream()) }

// KernelTimes returns the times of kernels in the order of their first launches.
func (d *Device) KernelTimes() []KernelTime {
	var c [mostKernels]C.g500_kernel_time
	times := make([]KernelTime, C.g500_kernel_times(&c[0], mostKernels))
	for i := range times {
		times[i] = KernelTime{C.GoString(&c[i].name[0]), int64(c[i].launches), int64(c[i].nanoseconds)}
	}
	return times
}
