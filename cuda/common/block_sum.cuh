// SPDX-License-Identifier: Apache-2.0

// Prefix sums over a block. Pairs of counts (vertices, edges) are packed into one 64-bit word.
#pragma once

#include "common/block.cuh"

namespace g500 {

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

constexpr int kEdgeBits = 36; // of a rank's edges, more than fit into memory; a queue has fewer than 2^28 vertices
constexpr u64 kEdgeMask = (1ull << kEdgeBits) - 1; // the low bits of a packed (vertices, edges) sum
#ifdef G500_EMULATED
inline u64 kMostNumbered = (1ull << (64 - kEdgeBits)) - 1; // tests reduce it
#else
constexpr u64 kMostNumbered = (1ull << (64 - kEdgeBits)) - 1; // limit of the vertices in a packed sum
#endif

} // namespace g500
