// SPDX-License-Identifier: Apache-2.0

// Trials of a device: whether searches can be launched before their root is known, and whether the kernels of one
// process's ranks run concurrently.
#pragma once

#include "common/c.h"

G500_BEGIN_C

// When a launch returns: while its kernel runs, so that a kernel can wait for the host; after its kernel has ended
// (CUDA_LAUNCH_BLOCKING, a debugger, a profiler); or while it runs, but the driver limits the run time of kernels, as
// on a GPU with a display.
enum { G500_LAUNCHES_RETURN, G500_LAUNCHES_BLOCK, G500_KERNELS_ARE_LIMITED };

// Finds when a launch returns on the current device: from the environment and the device's attributes, then by a kernel
// that waits at most 250 ms for the host. Synchronous.
int g500_try_prelaunch(int *found, void *stream);

enum { G500_MOST_CONCURRENT = 1024 }; // ranks of a process

// Prepares the calling rank's device for a trial, and sets *number to the number of the process's next trial. All
// participating ranks call it before any of them starts the trial.
int g500_next_concurrency_trial(uint32_t *number);

// Launches a kernel that waits, at most two seconds, until the kernels of all `ranks` ranks run in the trial with this
// number. The ranks, with places 0 to ranks-1, call it at the same time, each on its own thread and stream. Sets *all
// to 1 if all kernels ran concurrently, else to 0. Synchronous.
int g500_try_concurrency(uint32_t number, uint32_t place, uint32_t ranks, int *all, void *stream);

G500_END_C
