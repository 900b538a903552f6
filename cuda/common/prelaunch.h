// Whether searches may be launched before their root is known.
#ifndef G500_PRELAUNCH_H
#define G500_PRELAUNCH_H

#ifdef __cplusplus
extern "C" {
#endif

// When a launch returns on a device: while its kernel runs, so that a kernel may wait for the host;
// when its kernel has ended (CUDA_LAUNCH_BLOCKING, a debugger, a profiler); or while it runs, but the driver ends
// kernels that run long, as on a GPU with a display.
enum { G500_LAUNCHES_RETURN, G500_LAUNCHES_BLOCK, G500_KERNELS_ARE_LIMITED };

// Finds when a launch returns on the current device: by the environment and the device's attributes, then by a kernel
// that waits at most 250 ms for a word of the host. Synchronous.
int g500_try_prelaunch(int *found, void *stream);

#ifdef __cplusplus
}
#endif
#endif
