// The forms that a search is compiled in, and how each names a vertex of any rank (ADR 26).
#pragma once

#include "common/bitmap.cuh"

namespace g500 {

// WideColumn is a column of positions in the wide form: of each its hub id, and in a half word beside it its rank.
struct WideColumn {
	const u32 *hubs;
	const u16 *ranks;
	u32 shift;

	__device__ WideColumn operator+(u64 n) const { return {hubs + n, ranks + n, shift}; }
};

// WideFour are four such positions side by side.
struct WideFour {
	uint4 hubs;
	ushort4 ranks;
	u32 shift;
};

// In registers a vertex of any rank is an Id: its position, or its label. A rank alone, and several narrow ones, have
// words of 32 bits for both. The wide form is for graphs with more vertices than that. Its positions have 64 bits, in
// which they are the places of bits in a bitmap, and its labels are rank << 32 | number at that rank; in memory either
// is a word and a half word, which is the rank. Column is where positions lie in memory, Four are four of them. Only
// several narrow ranks go through replicated frontiers, for which they read each other's graphs.
struct Alone {
	static constexpr bool kMany = false, kWide = false, kReplicates = false;
	using Id = u32;
	using Column = const u32 *;
	using Four = uint4;
};
struct Several {
	static constexpr bool kMany = true, kWide = false, kReplicates = true;
	using Id = u32;
	using Column = const u32 *;
	using Four = uint4;
};
struct Wide {
	static constexpr bool kMany = true, kWide = true, kReplicates = false;
	using Id = u64;
	using Column = WideColumn;
	using Four = WideFour;
};

template <typename Id>
constexpr Id kNoId = (Id)~0ull; // no vertex

template <typename Id>
__device__ inline bool is_none(Id id) { return id == kNoId<Id>; }

// The label that is a word in memory, of a vertex of that rank: itself, or the number there.
template <typename Id>
__device__ inline Id label_from(u32 word, u32 rank) {
	if constexpr (sizeof(Id) == sizeof(u32)) return word;
	else return word == kNone ? kNoId<Id> : (u64)rank << 32 | word;
}

__device__ inline u64 wide_position(u32 hub, u32 rank, u32 shift) {
	return hub == kNone ? kNoId<u64> : (u64)rank << shift | hub;
}

// Positions that a search reads again and again.
__device__ inline u32 load_position(const u32 *at) { return __ldg(at); }
__device__ inline u64 load_position(const WideColumn &at) {
	return wide_position(__ldg(at.hubs), __ldg(at.ranks), at.shift);
}

// The words of a group of 128 bits, or four positions, in an array, in which a loop that is unrolled finds them in
// registers.
template <typename Word>
struct Words {
	Word of[4];
};

__device__ inline Words<u32> unpack(const uint4 &w) { return {w.x, w.y, w.z, w.w}; }
__device__ inline Words<u64> unpack(const WideFour &w) {
	return {wide_position(w.hubs.x, w.ranks.x, w.shift), wide_position(w.hubs.y, w.ranks.y, w.shift),
	        wide_position(w.hubs.z, w.ranks.z, w.shift), wide_position(w.hubs.w, w.ranks.w, w.shift)};
}

// Whether all four are there.
__device__ inline bool is_full(const uint4 &four) { return four.w != kNone; }
__device__ inline bool is_full(const WideFour &four) { return four.hubs.w != kNone; }

} // namespace g500
