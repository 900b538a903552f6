// The shape of a search's launch, and what threads of a warp do together.
#pragma once

#include <cuda_runtime.h>

#include "common/device.cuh"
#include "common/types.cuh"

namespace g500 {

// Reads what other blocks, or peers, change.
template <typename T>
__device__ inline T read_now(const T *p) {
	return *(const volatile T *)p;
}

// The search is one cooperative launch that fills the device, at 64 registers a thread.
constexpr int kThreads = 256;
constexpr int kBlocks = 4; // per multiprocessor
constexpr int kWarps = kThreads / 32;

__device__ inline bool is_first_thread() { return blockIdx.x == 0 && threadIdx.x == 0; }
__device__ inline u32 lane_of_thread() { return threadIdx.x & 31; }
__device__ inline u32 lanes_below() { return (1u << lane_of_thread()) - 1; }

__device__ inline u32 warp_sum(u32 x) {
#if __CUDA_ARCH__ >= 800
	return __reduce_add_sync(~0u, x);
#else
	for (int d = 16; d; d /= 2) x += __shfl_xor_sync(~0u, x, d);
	return x;
#endif
}

__device__ inline u32 warp_min(u32 x) {
#if __CUDA_ARCH__ >= 800
	return __reduce_min_sync(~0u, x);
#else
	for (int d = 16; d; d /= 2) x = min(x, __shfl_xor_sync(~0u, x, d));
	return x;
#endif
}

__device__ inline u32 warp_max(u32 x) { return ~warp_min(~x); }

__device__ inline u32 warp_or(u32 x) {
#if __CUDA_ARCH__ >= 800
	return __reduce_or_sync(~0u, x);
#else
	for (int d = 16; d; d /= 2) x |= __shfl_xor_sync(~0u, x, d);
	return x;
#endif
}

// The place of set bit number n of a mask that has more than n.
__device__ inline u32 find_bit(u32 mask, u32 n) {
	u32 at = 0;
#pragma unroll
	for (u32 width = 16; width; width /= 2) {
		const u32 below = __popc(mask & ((1u << width) - 1));
		if (n < below) continue;
		n -= below;
		mask >>= width;
		at += width;
	}
	return at;
}

__device__ inline u64 warp_sum(u64 x) {
	for (int d = 16; d; d /= 2) x += __shfl_xor_sync(~0u, x, d);
	return x;
}

// Adds what the threads of a warp have counted to a counter, with one atomic.
__device__ inline void add_up(u64 sum, ull *to) {
	sum = warp_sum(sum);
	if (lane_of_thread() == 0 && sum) atomicAdd(to, (ull)sum);
}

// Lets one thread of the block change what all of them know.
template <typename Change>
__device__ inline void alone(Change change) {
	__syncthreads(); // nobody reads what was known before any more
	if (threadIdx.x == 0) change();
	__syncthreads();
}

} // namespace g500
