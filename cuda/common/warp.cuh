// SPDX-License-Identifier: Apache-2.0

// Numbers of threads, and a binary search. Sums, prefix sums and lists over the lanes of a warp: all of them must call
// these functions.
#pragma once

#include <cuda_runtime.h>

#include "common/types.cuh"

namespace g500 {

constexpr u32 kLanes = 32; // threads of a warp

// Returns the number of a thread in its grid. A grid with one warp per vertex has more than 2^32 threads.
template <u32 kThreadsOfBlock>
__device__ inline u64 thread_number() {
	return (u64)blockIdx.x * kThreadsOfBlock + threadIdx.x;
}

// Returns the number of the thread's warp in its grid.
template <u32 kThreadsOfBlock>
__device__ inline u64 warp_number() {
	return thread_number<kThreadsOfBlock>() / kLanes;
}

// Returns the first number from `low` on for which is_before is false, or `high`. It is false for all later ones, too.
template <typename Number, typename IsBefore>
__device__ inline Number first_not(Number low, Number high, IsBefore is_before) {
	while (low < high) {
		const Number middle = low + (high - low) / 2;
		if (is_before(middle)) low = middle + 1;
		else high = middle;
	}
	return low;
}

// Returns the number of bits of values up to `highest`, at least one.
__host__ __device__ inline int bits_for(u32 highest) {
#ifdef __CUDA_ARCH__
	return 32 - __clz(highest | 1);
#else
	int bits = 1;
	while (bits < 32 && highest >> bits) bits++;
	return bits;
#endif
}

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

// Returns the index of set bit number n, counted from 0, of a mask with more than n set bits.
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

// Adds the sum over the lanes to a counter with one atomic.
__device__ inline void add_up(u64 sum, ull *to) {
	sum = warp_sum(sum);
	if (lane_of_thread() == 0 && sum) atomicAdd(to, (ull)sum);
}

// Returns the sum over the lanes up to and including this one.
template <typename T>
__device__ inline T warp_scan(T x) {
	for (u32 d = 1; d < 32; d *= 2) {
		const T below = __shfl_up_sync(~0u, x, d);
		if (lane_of_thread() >= d) x += below;
	}
	return x;
}

// Appends one entry per lane of the mask to a list that other warps fill too: adds their number to the list's length
// with one atomic. Returns the place of this lane's entry.
template <typename Place, typename Counter>
__device__ inline Place append_by_warp(u32 lanes, Counter *length) {
	Place base = 0;
	if (lanes && lane_of_thread() == 0) base = (Place)atomicAdd(length, (Counter)__popc(lanes));
	return __shfl_sync(~0u, base, 0) + __popc(lanes & lanes_below());
}

// Appends to a list that only this warp fills; all lanes keep its length.
template <typename Place>
__device__ inline Place append_in_warp(u32 lanes, Place &length) {
	const Place place = length + __popc(lanes & lanes_below());
	length += __popc(lanes);
	return place;
}

} // namespace g500
