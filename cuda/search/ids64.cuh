// SPDX-License-Identifier: Apache-2.0

// The form with 64-bit ids and labels, for graphs with more non-isolated vertices than 32-bit ids can address, and for
// 64-bit labels on ranks that are no peers (ADR 26). Global ids are 64-bit bit numbers of a bitmap; in memory each is a
// 32-bit word and a 16-bit rank field. Only files that compile kernels of this form include this one.
#pragma once

#include "search/graph.cuh"
#include "search/hub_arrays.cuh"
#include "search/state.cuh"

namespace g500 {

// NeighbourArray64 is an array of global ids: local ids, and their rank fields in a second array.
struct NeighbourArray64 {
	const u32 *local_ids;
	const u16 *ranks;
	u32 part; // Parts64.bits

	__device__ NeighbourArray64 operator+(u64 n) const { return {local_ids + n, ranks + n, part}; }
};

// Four64 is four consecutive global ids.
struct Four64 {
	uint4 local_ids;
	ushort4 ranks;
	u32 part; // Parts64.bits
};

// Far64 searches level by level (far.cuh).
struct Far64 : PeersLabels64 {
	static constexpr bool kIds64 = true, kReplicates = false, kFar = true;
	using Id = u64;
	using Neighbours = NeighbourArray64;
	using Four = Four64;
};

__device__ inline Entry<u64> load_entry(const NeighbourArray64 &at) {
	const u32 word = __ldg(at.local_ids);
	return {global_id64(word, __ldg(at.ranks), at.part), word};
}
__device__ inline u64 load_global_id(const NeighbourArray64 &at) { return load_entry(at).id; }

__device__ inline Words<u32> words_of(const Four64 &w) { return unpack(w.local_ids); }
__device__ inline Words<u64> unpack(const Four64 &w) {
	const uint4 &v = w.local_ids;
	return {global_id64(v.x, w.ranks.x, w.part), global_id64(v.y, w.ranks.y, w.part),
	        global_id64(v.z, w.ranks.z, w.part), global_id64(v.w, w.ranks.w, w.part)};
}

// In a rank's part of the bitmap 32-bit arithmetic suffices.
__device__ inline bool test_one(const u32 *bitmap, const Four64 &w, u32 one) {
	const u32 ranks[4]{w.ranks.x, w.ranks.y, w.ranks.z, w.ranks.w};
	return test(bitmap + (u64)ranks[one] * (w.part / 32), words_of(w).of[one]);
}

} // namespace g500
