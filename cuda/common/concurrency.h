// Whether kernels of the ranks of one process run at the same time.
#ifndef G500_CONCURRENCY_H
#define G500_CONCURRENCY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { G500_MOST_CONCURRENT = 1024 }; // ranks of a process

// The number of the next trial in this process. All ranks that take part have to know it before one of them begins.
int g500_next_concurrency_trial(uint32_t *number);

// Launches a kernel that waits until those of so many ranks run in the trial with that number, for five seconds at
// most. The ranks, whose places are 0 to ranks-1, do so at the same time, each on its thread and stream. Whether all of
// them have run at the same time is in *all. Synchronous.
int g500_try_concurrency(uint32_t number, uint32_t place, uint32_t ranks, int *all, void *stream);

#ifdef __cplusplus
}
#endif
#endif
