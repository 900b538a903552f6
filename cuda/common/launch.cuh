// SPDX-License-Identifier: Apache-2.0

// Kernel launches as function calls. A C++ compiler without <<<>>> can compile the callers, so the emulator builds the
// same sources with its own launch functions (emulator/launch.h). Arguments are converted to the types of the kernel's
// parameters.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "common/timing.cuh"
#include "common/types.cuh"

namespace g500 {

// Resident is memory that a kernel reads often at random places. Its lines stay in the part of the L2 cache that is set
// aside for them (sssp/search.cuh). Other reads use the rest of the cache.
struct Resident {
	void *begin = nullptr;
	size_t bytes = 0; // 0: none
};

// Launch is the shape of a launch. Without blocks a launch does nothing.
struct Launch {
	enum How : u8 {
		kPlain,
		kCooperative, // blocks wait for each other: all of them are resident, or the launch fails
		kOverlapped,  // the kernel may start before its predecessor in the stream has ended (common/device.cuh:
		              // await_previous_kernel)
	};

	u32 blocks, threads;
	cudaStream_t stream;
	size_t shared = 0; // bytes of dynamic shared memory per block
	How how = kPlain;
	Resident resident{};
};

// Returns the number of blocks that give each of n items one thread.
inline u32 blocks_for(u64 n, u32 threads) { return (u32)((n + threads - 1) / threads); }

// As<T> is T, but a template parameter inside it is not deduced from the argument.
template <typename T>
using As = std::enable_if_t<true, T>;

} // namespace g500

#ifdef G500_EMULATED
#include "emulator/launch.h"
#else

namespace g500 {

// Launches a kernel. Returns the error of the launch; the kernel runs later.
template <typename... P>
cudaError_t launch(void (*kernel)(P...), const Launch &by, const As<P> &...arguments) {
	if (by.blocks == 0) return cudaSuccess;
	cudaLaunchAttribute attributes[2];
	cudaLaunchConfig_t config{by.blocks, by.threads, by.shared, by.stream, attributes, 0};
	const auto add = [&](cudaLaunchAttributeID id) -> cudaLaunchAttributeValue & {
		attributes[config.numAttrs].id = id;
		return attributes[config.numAttrs++].val;
	};
	if (by.how == Launch::kCooperative) add(cudaLaunchAttributeCooperative).cooperative = 1;
	if (by.how == Launch::kOverlapped)
		add(cudaLaunchAttributeProgrammaticStreamSerialization).programmaticStreamSerializationAllowed = 1;
	if (by.resident.bytes > 0)
		add(cudaLaunchAttributeAccessPolicyWindow).accessPolicyWindow = {
			by.resident.begin, by.resident.bytes, 1, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
	const cudaError_t code = cudaLaunchKernelEx(&config, kernel, arguments...);
	if (code != cudaSuccess) cudaGetLastError(); // returned here; the next launch would report it again
	return code;
}

} // namespace g500

#endif

// Returns the error code of a CUDA call, or of a function, from the enclosing function, if it failed.
#define G500_TRY(...)                                   \
	do {                                                \
		const auto g500_code = (__VA_ARGS__);           \
		if (g500_code != cudaSuccess) return g500_code; \
	} while (0)

// Launches a kernel, as in G500_START(climb_kernel, Launch{blocks, threads, stream}, up, count); or evaluates a call
// that launches kernels. The value is the error code. Timed launches are recorded under the name.
#define G500_START(kernel, ...) G500_START_BY(#kernel, g500::launch(kernel, __VA_ARGS__))
#define G500_START_BY(name, ...) g500::timed(name, [&] { return __VA_ARGS__; })

// The same, but return an error code from the enclosing function.
#define G500_LAUNCH(kernel, ...) G500_TRY(G500_START(kernel, __VA_ARGS__))
#define G500_LAUNCH_BY(name, ...) G500_TRY(G500_START_BY(name, __VA_ARGS__))
