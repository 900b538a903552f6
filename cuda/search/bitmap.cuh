// The layout of bitmaps, and small things that all parts of a search use: lanes, sums of a warp, the size of a launch.
#pragma once

#include "common/check.cuh"
#include "common/device.cuh"
#include "common/types.cuh"

namespace g500 {

constexpr u32 kNone = 0xffffffffu; // no vertex, no label

// A bitmap holds one bit for each vertex with an edge, by position. Bit v sits in word v mod 4 of its group of 128
// vertices, at bit (v div 4) mod 32: a lane that handles four consecutive vertices loads their columns at once, and
// four ballots of a warp are the group's four words.
constexpr u32 kGroup = 128;
constexpr u32 kPad = 2 * kGroup; // vertices are padded to what a warp sweeps at a time

__host__ __device__ inline u32 word_of(u32 v) { return (v >> 7) << 2 | (v & 3); }
__host__ __device__ inline u32 bit_of(u32 v) { return v >> 2 & 31; }
__host__ __device__ inline u32 vertex_at(u32 word, u32 bit) { return (word >> 2) << 7 | bit << 2 | (word & 3); }

__device__ inline bool test(const u32 *bitmap, u32 v) { return bitmap[word_of(v)] >> bit_of(v) & 1; }
__device__ inline void set(u32 *bitmap, u32 v) { atomicOr(bitmap + word_of(v), 1u << bit_of(v)); }

__device__ inline bool any_set(const uint4 &w) { return w.x | w.y | w.z | w.w; }
__device__ inline bool all_set(const uint4 &w) { return (w.x & w.y & w.z & w.w) == ~0u; }
__device__ inline bool is_same(const uint4 &a, const uint4 &b) {
	return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
__device__ inline uint4 without(const uint4 &a, const uint4 &b) {
	return make_uint4(a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w);
}

__device__ inline u64 read_now(const ull *p) { return *(const volatile ull *)p; }

// The search is one cooperative launch that fills the device, at 64 registers a thread.
constexpr int kThreads = 256;
constexpr int kBlocks = 4; // a multiprocessor
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

// Adds what the threads of a warp have counted to a counter, with one atomic.
__device__ inline void add_up(u64 sum, ull *to) {
	for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
	if (lane_of_thread() == 0 && sum) atomicAdd(to, (ull)sum);
}

// Finds the last place in offsets[0, n) that is not above edge, with one warp: 32 probes a round.
__device__ inline u32 find_vertex(const u64 *offsets, u32 n, u64 edge) {
	const u32 lane = lane_of_thread();
	u32 low = 0, high = n;
	while (high - low > 1) {
		const u32 step = (high - low + 31) / 32;
		const u32 at = low + step * lane;
		const u32 below = __ballot_sync(~0u, at < high && offsets[at] <= edge);
		low += step * (31 - __clz(below));
		high = min(high, low + step);
	}
	return low;
}

} // namespace g500
