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

// Sets before to the sum of the values of the threads before this one, and sum to that of all. of_warp has a place for
// each warp, in shared memory: it may be used again after a barrier, which is the caller's. The sums of a warp's lanes
// come first, then those of the warps, as in CUB's BlockScan by BLOCK_SCAN_WARP_SCANS, whose headers take seconds.
template <typename T, int kWarpsOf, typename Value>
__device__ inline void block_scan(T (&of_warp)[kWarpsOf], Value value, T &before, T &sum) {
	const T upto = warp_scan((T)value);
	if (lane_of_thread() == kLanes - 1) of_warp[threadIdx.x / kLanes] = upto;
	__syncthreads();
	before = upto - value;
	sum = 0;
#pragma unroll
	for (u32 warp = 0; warp < kWarpsOf; warp++) {
		const T of = of_warp[warp];
		if (warp < threadIdx.x / kLanes) before += of;
		sum += of;
	}
}

using BlockSum = u64[kWarps]; // memory of block_scan

// Pairs of counts (vertices, edges) are packed into one 64-bit word for such a sum.
constexpr int kEdgeBits = 36; // of a rank's edges, more than fit into memory; a queue has fewer than 2^28 vertices
constexpr u64 kEdgeMask = (1ull << kEdgeBits) - 1; // the low bits of a packed (vertices, edges) sum
#ifdef G500_EMULATED
inline u64 kMostNumbered = (1ull << (64 - kEdgeBits)) - 1; // tests reduce it
#else
constexpr u64 kMostNumbered = (1ull << (64 - kEdgeBits)) - 1; // limit of the vertices in a packed sum
#endif

} // namespace g500
