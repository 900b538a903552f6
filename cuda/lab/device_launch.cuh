// SPDX-License-Identifier: Apache-2.0

// Launches from kernels: children, which may run concurrently, and a tail, which runs after the kernel and its children
// have ended (CUDA C++ Programming Guide, dynamic parallelism). Files that use them are compiled with -rdc=true.
#pragma once

#include "common/launch.cuh"

#ifndef G500_EMULATED

namespace g500 {

// Launches a child and ignores how.stream. Returns the error of the launch.
template <auto kKernel, typename... A>
__device__ inline cudaError_t launch_child(const Launch &how, const A &...arguments) {
	kKernel<<<how.blocks, how.threads, how.shared, cudaStreamFireAndForget>>>(arguments...);
	return cudaGetLastError();
}

// Launches a tail and ignores how.stream. Returns the error of the launch.
template <auto kKernel, typename... A>
__device__ inline cudaError_t launch_tail(const Launch &how, const A &...arguments) {
	kKernel<<<how.blocks, how.threads, how.shared, cudaStreamTailLaunch>>>(arguments...);
	return cudaGetLastError();
}

} // namespace g500

#endif
