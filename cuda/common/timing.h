// SPDX-License-Identifier: Apache-2.0

// Times of kernels.
#pragma once

#include "common/c.h"

G500_BEGIN_C

// g500_kernel_time is the sum over a kernel's launches.
typedef struct {
	char name[48];
	uint64_t launches, nanoseconds;
} g500_kernel_time;

// Turns timing on or off and clears the times. While it is on, this thread synchronizes the stream around each kernel
// that it launches, and times it.
void g500_time_kernels(int on, void *stream);

// Copies up to max times, in the order of first launch. Returns their number.
int g500_kernel_times(g500_kernel_time *times, int max);

G500_END_C
