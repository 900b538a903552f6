// Launching kernels by function calls. A C++ compiler that does not know <<<>>> can read the callers, so the emulator
// builds the same sources with launch functions of its own (emulator/launch.h).
//
// Arguments are converted to the types of the kernel's parameters, as in any call.
#pragma once

#include <cuda_runtime.h>

#include "common/timing.cuh"
#include "common/types.cuh"

namespace g500 {

// Launch is the shape of a launch. Only launch_overlapped looks at overlap.
struct Launch {
	u32 blocks, threads;
	cudaStream_t stream;
	size_t shared = 0;    // bytes of dynamic shared memory a block
	bool overlap = false; // the kernel may start before the kernel before it in the stream has ended
};

// As<T> is T; a template parameter inside it is not deduced from the argument.
template <typename T>
struct Same {
	using Type = T;
};
template <typename T>
using As = typename Same<T>::Type;

} // namespace g500

#ifdef G500_EMULATED
#include "emulator/launch.h"
#else

namespace g500 {

// Launches a kernel. Returns the error of the launch, not that of the kernel, which runs later.
template <typename... P>
cudaError_t launch(void (*kernel)(P...), const Launch &how, const As<P> &...arguments) {
	kernel<<<how.blocks, how.threads, how.shared, how.stream>>>(arguments...);
	return cudaGetLastError();
}

// The same, for a kernel whose blocks wait for each other: all of them run at once, or the launch fails.
template <typename... P>
cudaError_t launch_cooperative(void (*kernel)(P...), const Launch &how, const As<P> &...arguments) {
	void *addresses[] = {(void *)&arguments...};
	const void *const address = (const void *)kernel;
	return cudaLaunchCooperativeKernel(address, how.blocks, how.threads, addresses, how.shared, how.stream);
}

// The same, for a kernel that may overlap with the one before (common/device.cuh: await_previous_kernel).
template <typename... P>
cudaError_t launch_overlapped(void (*kernel)(P...), const Launch &how, const As<P> &...arguments) {
	cudaLaunchAttribute serialization;
	serialization.id = cudaLaunchAttributeProgrammaticStreamSerialization;
	serialization.val.programmaticStreamSerializationAllowed = 1;
	cudaLaunchConfig_t config{};
	config.gridDim = dim3(how.blocks);
	config.blockDim = dim3(how.threads);
	config.dynamicSmemBytes = how.shared;
	config.stream = how.stream;
	config.attrs = &serialization;
	config.numAttrs = how.overlap ? 1 : 0;
	return cudaLaunchKernelEx(&config, kernel, arguments...);
}

} // namespace g500

#endif

// Launches a kernel, as in G500_LAUNCH(climb_kernel, Launch{blocks, threads, stream}, up, count), and returns from the
// function around it if that fails. Where kernels are timed (timing.cuh) the launch counts under the kernel's name.
#define G500_LAUNCH(kernel, ...) G500_LAUNCH_BY(#kernel, g500::launch(kernel, __VA_ARGS__))

// The same, under the given name, for a call that launches kernels and returns an error code.
#define G500_LAUNCH_BY(name, ...)                                                                                      \
	do {                                                                                                               \
		const g500::Stopwatch g500_watch(name);                                                                        \
		const cudaError_t g500_launched = g500_watch.stop((__VA_ARGS__));                                              \
		if (g500_launched != cudaSuccess) return g500_launched;                                                        \
	} while (0)
