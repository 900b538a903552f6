// SPDX-License-Identifier: Apache-2.0

// The C interface to the times of kernels.
#include "common/timing.cuh"

using g500::timings;

void g500_time_kernels(int on, void *stream) {
	timings.on = on != 0;
	timings.stream = (cudaStream_t)stream;
	timings.count = 0;
}

int g500_kernel_times(g500_kernel_time *times, int max) {
	const int count = timings.count < max ? timings.count : max;
	memcpy(times, timings.of, count * sizeof *times);
	return count;
}
