// Kernel launches as function calls. A C++ compiler without <<<>>> can compile the callers, so the emulator builds the
// same sources with its own launch functions (emulator/launch.h). Arguments are converted to the types of the kernel's
// parameters.
#pragma once

#include <cuda_runtime.h>

#include "common/timing.cuh"
#include "common/types.cuh"

namespace g500 {

// Resident is memory that a kernel reads often at random places. Its lines stay in the part of the L2 cache that is set
// aside for them (resident.cuh). Other reads use the rest of the cache.
struct Resident {
	void *begin = nullptr;
	size_t bytes = 0; // 0: none
};

// Launch is the shape of a launch.
struct Launch {
	u32 blocks, threads;
	cudaStream_t stream;
	size_t shared = 0;    // bytes of dynamic shared memory per block
	bool overlap = false; // launch_overlapped: the kernel may start before its predecessor in the stream has ended
	Resident resident{};
};

// As<T> is T, but a template parameter inside it is not deduced from the argument.
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

// LaunchAttributes is the attributes of a launch.
class LaunchAttributes {
public:
	explicit LaunchAttributes(const Resident &resident) {
		if (resident.bytes == 0) return;
		cudaAccessPolicyWindow window{};
		window.base_ptr = resident.begin;
		window.num_bytes = resident.bytes;
		window.hitRatio = 1;
		window.hitProp = cudaAccessPropertyPersisting;
		window.missProp = cudaAccessPropertyStreaming;
		add(cudaLaunchAttributeAccessPolicyWindow).accessPolicyWindow = window;
	}
	cudaLaunchAttributeValue &add(cudaLaunchAttributeID id) {
		of_[n_].id = id;
		return of_[n_++].val;
	}

	template <typename... P>
	cudaError_t launch(void (*kernel)(P...), const Launch &how, const P &...arguments) {
		cudaLaunchConfig_t config{};
		config.gridDim = dim3(how.blocks);
		config.blockDim = dim3(how.threads);
		config.dynamicSmemBytes = how.shared;
		config.stream = how.stream;
		config.attrs = of_;
		config.numAttrs = n_;
		const cudaError_t code = cudaLaunchKernelEx(&config, kernel, arguments...);
		if (code != cudaSuccess) cudaGetLastError(); // returned here; the next launch would report it again
		return code;
	}

private:
	cudaLaunchAttribute of_[2];
	u32 n_ = 0;
};

// Launches a kernel. Returns the error of the launch; the kernel runs later.
template <typename... P>
cudaError_t launch(void (*kernel)(P...), const Launch &how, const As<P> &...arguments) {
	return LaunchAttributes(how.resident).launch(kernel, how, arguments...);
}

// Launches a kernel whose blocks wait for each other: all of them are resident, or the launch fails.
template <typename... P>
cudaError_t launch_cooperative(void (*kernel)(P...), const Launch &how, const As<P> &...arguments) {
	LaunchAttributes attributes(how.resident);
	attributes.add(cudaLaunchAttributeCooperative).cooperative = 1;
	return attributes.launch(kernel, how, arguments...);
}

// Launches a kernel that may overlap with its predecessor in the stream (common/device.cuh: await_previous_kernel).
template <typename... P>
cudaError_t launch_overlapped(void (*kernel)(P...), const Launch &how, const As<P> &...arguments) {
	LaunchAttributes attributes(how.resident);
	if (how.overlap)
		attributes.add(cudaLaunchAttributeProgrammaticStreamSerialization).programmaticStreamSerializationAllowed = 1;
	return attributes.launch(kernel, how, arguments...);
}

} // namespace g500

#endif

// Launches a kernel, as in G500_LAUNCH(climb_kernel, Launch{blocks, threads, stream}, up, count), and returns an error
// code from the enclosing function. Timed launches (timing.cuh) are recorded under the kernel's name.
#define G500_LAUNCH(kernel, ...) G500_LAUNCH_BY(#kernel, g500::launch(kernel, __VA_ARGS__))

// Evaluates a call that launches kernels and returns an error code, and records its time under the given name.
#define G500_LAUNCH_BY(name, ...)                                                                                      \
	do {                                                                                                               \
		const g500::Stopwatch g500_watch(name);                                                                        \
		const cudaError_t g500_launched = g500_watch.stop((__VA_ARGS__));                                              \
		if (g500_launched != cudaSuccess) return g500_launched;                                                        \
	} while (0)
