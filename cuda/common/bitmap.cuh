// SPDX-License-Identifier: Apache-2.0

// The layout of bitmaps.
#pragma once

#include <cuda_runtime.h>

#include "common/device.cuh"
#include "common/types.cuh"

namespace g500 {

constexpr u32 kNone = 0xffffffffu; // no vertex, no label

// A bitmap has one bit per non-leaf vertex, indexed by global id. Bit v is in word v mod 4 of its group of 128
// vertices, at bit (v div 4) mod 32. So a lane that processes four consecutive vertices loads their array entries with
// one instruction, and four ballots of a warp are the four words of the group.
constexpr u32 kGroup = 128;
constexpr u32 kPad = 2 * kGroup; // a warp sweeps this many vertices at a time; vertex counts are padded to it

// Parts64 divides 64-bit global ids: rank * bits + local id, or of a leaf, which has no bit, kLeaf | rank << 32 | local
// id.
struct Parts64 {
	u32 bits, first_leaf;
	u64 reciprocal; // 2^64 / bits, rounded up

	static constexpr u64 kLeaf = 1ull << 63;

	static Parts64 of(u32 bits, u32 first_leaf) { return {bits, first_leaf, bits > 0 ? ~0ull / bits + 1 : 0}; }

	__device__ u64 id(u32 rank, u32 local_id) const {
		return local_id >= first_leaf ? kLeaf | (u64)rank << 32 | local_id : (u64)rank * bits + local_id;
	}

	__device__ u32 rank(u64 id) const {
		if (id & kLeaf) return (u32)(id >> 32) & 0xffff;
		const u64 rank = __umul64hi(reciprocal, id); // too large by less than 1
		return (u32)(rank - (rank * bits > id));
	}
	__device__ u32 local_id(u64 id) const { return (u32)(id & kLeaf ? id : id - (u64)rank(id) * bits); }
};

// Place is u32, or u64 if a bitmap may have more than 2^32 bits (form.cuh).
template <typename Place>
__host__ __device__ inline Place word_of(Place v) { return (v >> 7) << 2 | (v & 3); }
template <typename Place>
__host__ __device__ inline u32 bit_of(Place v) { return v >> 2 & 31; }
__host__ __device__ inline u32 vertex_at(u32 word, u32 bit) { return (word >> 2) << 7 | bit << 2 | (word & 3); }

template <typename Place>
__device__ inline bool test(const u32 *bitmap, Place v) {
	return __funnelshift_r(bitmap[word_of(v)], 0, (u32)(v >> 2)) & 1; // shifts by bit_of(v) with one instruction
}
template <typename Place>
__device__ inline void set(u32 *bitmap, Place v) { set_bits(bitmap + word_of(v), 1u << bit_of(v)); }

__device__ inline bool any_set(const uint4 &w) { return w.x | w.y | w.z | w.w; }
__device__ inline bool all_set(const uint4 &w) { return (w.x & w.y & w.z & w.w) == ~0u; }
__device__ inline u32 bits_in(const uint4 &w) { return __popc(w.x) + __popc(w.y) + __popc(w.z) + __popc(w.w); }
__device__ inline bool is_same(const uint4 &a, const uint4 &b) {
	return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
__device__ inline uint4 with(const uint4 &a, const uint4 &b) {
	return make_uint4(a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w);
}
__device__ inline uint4 without(const uint4 &a, const uint4 &b) {
	return make_uint4(a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w);
}

} // namespace g500
