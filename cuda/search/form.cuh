// SPDX-License-Identifier: Apache-2.0

// The forms in which the search kernel is compiled, and their types of vertex ids (ADR 26).
#pragma once

#include "common/bitmap.cuh"
#include "common/packed_row.cuh"

namespace g500 {

// In registers a vertex of any rank is an Id, its packed global id, and has a Label. Neighbours is an array of global
// ids in memory, Four has four consecutive ones. ids64.cuh has the form with 64-bit ids.
struct Ids32 {
	static constexpr bool kIds64 = false, kLabels64 = false, kFar = false, kPacked = false;
	using Id = u32;
	using Label = u32;
	using Neighbours = const u32 *;
	using Four = uint4;
};

// OneRank is one rank. ManyRanks replicate all bits; peers among them read each other's graphs for replicated
// frontiers. FarRanks are not peers, or not all of them, and search level by level (far.cuh). OneRankPacked,
// ManyRanksPacked and FarRanksPacked have packed rows.
struct OneRank : Ids32 {
	static constexpr bool kMany = false, kReplicates = false;
};
struct OneRankPacked : OneRank {
	static constexpr bool kPacked = true;
	using Neighbours = PackedNeighbours<SameIds>;
};
struct ManyRanks : Ids32 {
	static constexpr bool kMany = true, kReplicates = true;
};
// PeersLabels64 are peers whose labels exceed 32 bits. In registers a label is rank << 32 | number on that rank; in
// arrays of one rank's labels it is the number.
struct PeersLabels64 : ManyRanks {
	static constexpr bool kLabels64 = true;
	using Label = u64;
};
struct ManyRanksPacked : ManyRanks {
	static constexpr bool kPacked = true;
	using Neighbours = PackedNeighbours<IdForm>;
};
struct FarRanks : Ids32 {
	static constexpr bool kMany = true, kReplicates = false, kFar = true;
};
struct FarRanksPacked : FarRanks {
	static constexpr bool kPacked = true;
	using Neighbours = PackedNeighbours<IdForm>;
};

template <typename Id>
constexpr Id kNoId = (Id)~0ull; // no vertex

template <typename Id>
__device__ inline bool is_none(Id id) { return id == kNoId<Id>; }

// Returns the label of a vertex of that rank from its word in memory: the label, or with 64-bit labels its number.
template <typename Label>
__device__ inline Label label_from(u32 word, u32 rank) {
	if constexpr (sizeof(Label) == sizeof(u32)) return word;
	else return word == kNone ? kNoId<Label> : (u64)rank << 32 | word;
}

// Returns a 64-bit global id of a vertex that is no leaf (Parts64).
__device__ inline u64 global_id64(u32 local_id, u32 rank, u32 part) {
	return local_id == kNone ? kNoId<u64> : (u64)rank * part + local_id;
}

// Loads a global id through the read-only cache.
__device__ inline u32 load_global_id(const u32 *at) { return __ldg(at); }

// Entry is an entry of a row: a global id and its word, which is the same for 32-bit ids.
template <typename Id>
struct Entry {
	Id id = kNoId<Id>;
	u32 word = kNone;
};

template <typename Neighbours>
__device__ inline Entry<u32> load_entry(const Neighbours &at) {
	const u32 id = load_global_id(at);
	return {id, id};
}

// Returns the end of a thread's batch of up to kPlainEntries loads from place `at` of a row on. The words of a packed
// row are in no batch with other entries, which take longer.
template <typename Neighbours>
__device__ inline u64 end_of_batch(const Neighbours &, u64 at) { return at + kPlainEntries; }
template <typename Ids>
__device__ inline u64 end_of_batch(const PackedNeighbours<Ids> &, u64 at) {
	return at < kPlainEntries ? kPlainEntries : at + kPlainEntries;
}

// Words is four words as an array, which an unrolled loop keeps in registers.
template <typename Word>
struct Words {
	Word of[4];
};

__device__ inline Words<u32> unpack(const uint4 &w) { return {w.x, w.y, w.z, w.w}; }
__device__ inline Words<u32> words_of(const uint4 &w) { return unpack(w); }

// Tests the bit of one of four vertices, which must be one.
__device__ inline bool test_one(const u32 *bitmap, const uint4 &four, u32 one) {
	return test(bitmap, unpack(four).of[one]);
}

} // namespace g500
