// How long each kernel takes.
#ifndef G500_TIMING_H
#define G500_TIMING_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// g500_kernel_time is the sum of a kernel's launches.
typedef struct {
	char name[48];
	uint64_t launches, nanoseconds;
} g500_kernel_time;

// Turns timing on or off: while it is on, this thread waits for each kernel that it launches on the stream, and times
// it. Earlier times are dropped.
void g500_time_kernels(int on, void *stream);

// Copies up to max times, in the order of the kernels' first launches, and returns how many there are.
int g500_kernel_times(g500_kernel_time *times, int max);

#ifdef __cplusplus
}
#endif
#endif
