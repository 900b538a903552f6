// SPDX-License-Identifier: Apache-2.0

// The shape of most launches, and helpers for the threads of a block.
#pragma once

#include <cuda_runtime.h>

#include "common/device.cuh"
#include "common/launch.cuh"
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

// Returns a launch with one thread for each of n items.
inline Launch thread_for(u64 n, cudaStream_t stream, u32 threads = kThreads) {
	return {blocks_for(n, threads), threads, stream};
}

__device__ inline bool is_first_thread() { return blockIdx.x == 0 && threadIdx.x == 0; }

// Executes change by one thread of the block, between two barriers of the block.
template <typename Change>
__device__ inline void by_one_thread(Change change) {
	__syncthreads(); // all threads have read the old values
	if (threadIdx.x == 0) change();
	__syncthreads();
}

// Sets before to the sum of the values of the threads before this one, and sum to that of all. of_warp, a place in
// shared memory for each warp, may be used again after the caller's next barrier. CUB's headers take seconds (ADR 82).
template <typename T, int kWarpsOf, typename Value>
__device__ inline void block_scan(T (&of_warp)[kWarpsOf], Value value, T &before, T &sum) {
	const T upto = warp_scan((T)value);
	if (lane_of_thread() == kLanes - 1) of_warp[threadIdx.x / kLanes] = upto;
	__syncthreads();
	before = upto - value, sum = 0;
#pragma unroll
	for (u32 warp = 0; warp < kWarpsOf; warp++) {
		if (warp < threadIdx.x / kLanes) before += of_warp[warp];
		sum += of_warp[warp];
	}
}

using BlockSum = u64[kWarps]; // memory of block_scan

// Pairs of counts (vertices, edges) are packed into one word: more edges than fit into memory, and 2^28 vertices.
constexpr int kEdgeBits = 36;
constexpr u64 kEdgeMask = (1ull << kEdgeBits) - 1; // the low bits
#ifdef G500_EMULATED
inline u64 kMostNumbered = (1ull << (64 - kEdgeBits)) - 1; // tests reduce it
#else
constexpr u64 kMostNumbered = (1ull << (64 - kEdgeBits)) - 1; // limit of the vertices in a packed sum
#endif

} // namespace g500
