// The forms that a search is compiled in, and how each names a vertex of any rank (ADR 26).
#pragma once

#include "common/bitmap.cuh"

namespace g500 {

// In registers a vertex of any rank is an Id: its position, or its label. Column is where positions are in memory, Four
// are four of them. In the narrow forms both ids are 32-bit words, in memory too. The 64-bit form is in ids64.cuh.
struct Ids32 {
	static constexpr bool kIds64 = false;
	using Id = u32;
	using Neighbours = const u32 *;
	using Four = uint4;
};

// Alone is one rank. Several are ranks that replicate all bits; peers among them read each other's graphs for
// replicated frontiers. Querying are ranks in query mode (query.cuh).
struct OneRank : Ids32 {
	static constexpr bool kMany = false, kReplicates = false, kQueries = false;
};
struct ManyRanks : Ids32 {
	static constexpr bool kMany = true, kReplicates = true, kQueries = false;
};
struct QueryRanks : Ids32 {
	static constexpr bool kMany = true, kReplicates = false, kQueries = true;
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

// Positions that a search reads again and again.
__device__ inline u32 load_global_id(const u32 *at) { return __ldg(at); }

// The words of a group of 128 bits, or four positions, in an array, in which a loop that is unrolled finds them in
// registers.
template <typename Word>
struct Words {
	Word of[4];
};

__device__ inline Words<u32> unpack(const uint4 &w) { return {w.x, w.y, w.z, w.w}; }

// Returns whether all four are there.
__device__ inline bool is_full(const uint4 &four) { return four.w != kNone; }

} // namespace g500
