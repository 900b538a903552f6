// SPDX-License-Identifier: Apache-2.0

// The shape of most launches, and helpers for the threads of a block.
#pragma once

#include <cuda_runtime.h>

#include "common/device.cuh"
#include "common/warp.cuh"

namespace g500 {

// Reads memory that other blocks or peers write.
template <typename T>
__device__ inline T read_now(const T *p) {
	return *(const volatile T *)p;
}

#ifdef G500_THREADS
constexpr int kThreads = G500_THREADS; // the emulator's choice
#else
constexpr int kThreads = 256;
#endif
// The search is one cooperative launch that fills the device, at 64 registers a thread.
constexpr int kBlocks = 4; // per multiprocessor
constexpr int kWarps = kThreads / 32;

__device__ inline bool is_first_thread() { return blockIdx.x == 0 && threadIdx.x == 0; }

// Executes change by one thread of the block, between two barriers of the block.
template <typename Change>
__device__ inline void by_one_thread(Change change) {
	__syncthreads(); // all threads have read the old values
	if (threadIdx.x == 0) change();
	__syncthreads();
}

} // namespace g500
