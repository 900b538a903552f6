// Whether kernels of the ranks of one process run at the same time.
#ifndef G500_CONCURRENCY_H
#define G500_CONCURRENCY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { G500_MOST_CONCURRENT = 1024 }; // ranks of a process

// Prepares the calling rank's device for a trial. *number is the number of the next trial in this process. All ranks
// that take part call it before one of them begins.
int g500_next_concurrency_trial(uint32_t *number);

// Launches a kernel that waits, two seconds at most, until the kernels of all `ranks` ranks run in the trial with that
// number. The ranks, whose places are 0 to ranks-1, call it at the same time, each on its own thread and stream. *all
// becomes 1 if all kernels ran at the same time, and 0 otherwise. Synchronous.
int g500_try_concurrency(uint32_t number, uint32_t place, uint32_t ranks, int *all, void *stream);

#ifdef __cplusplus
}
#endif
#endif
