// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "g500/internal/trace"

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
