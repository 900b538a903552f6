// Whether searches may be launched before their root is known.
#ifndef G500_PRELAUNCH_H
#define G500_PRELAUNCH_H

#ifdef __cplusplus
extern "C" {
#endif

// What a device does with a launch: it returns while its kernel runs, so that a kernel may wait for the host; it
// returns when its kernel has ended (CUDA_LAUNCH_BLOCKING, a debugger, a profiler); or it returns, but the driver ends
// kernels that run long, as on a GPU with a display.
enum { G500_LAUNCHES_RETURN, G500_LAUNCHES_BLOCK, G500_KERNELS_ARE_LIMITED };

// Finds that out for the current device: by the environment and the device's attributes, then by a kernel that waits
// for a word of the host for a quarter of a second at most. Synchronous.
int g500_try_prelaunch(int *found, void *stream);

#ifdef __cplusplus
}
#endif
#endif
