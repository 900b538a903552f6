// Test whether searches can be launched before their root is known.
#ifndef G500_PRELAUNCH_H
#define G500_PRELAUNCH_H

#ifdef __cplusplus
extern "C" {
#endif

// When a launch returns: while its kernel runs, so that a kernel can wait for the host; after its kernel has ended
// (CUDA_LAUNCH_BLOCKING, a debugger, a profiler); or while it runs, but the driver limits the run time of kernels, as
// on a GPU with a display.
enum { G500_LAUNCHES_RETURN, G500_LAUNCHES_BLOCK, G500_KERNELS_ARE_LIMITED };

// Finds when a launch returns on the current device: from the environment and the device's attributes, then by a kernel
// that waits at most 250 ms for the host. Synchronous.
int g500_try_prelaunch(int *found, void *stream);

#ifdef __cplusplus
}
#endif
#endif
