// Exchange with remote ranks of the same node through host memory: a rank writes into its shared-memory window, and the
// kernels of the other ranks read it. The CPU is not involved. Words cross PCIe once when written and once per reader,
// coalesced.
//
// A rank lists the bitmap groups that have changed since its last list, with their places in its part. The parts of
// remote ranks are equal in both bitmaps of a search, so the changes of one level suffice. There are two lists and two
// buffers of pairs for each rank, used alternately, because a rank may be one barrier ahead of its readers.
#pragma once

#include "common/ranks.cuh"

namespace g500 {

// Appends a group of words to a barrier's list if it has changed. All lanes of the warp call it.
__device__ inline void list_group(const Ranks &ranks, u32 barrier, bool changed, u32 group, const uint4 &words,
                                  ull *listed) {
	const u64 at = append_by_warp<u64>(__ballot_sync(~0u, changed), listed);
	if (!changed) return;
	in_shared_window<u32>(ranks, ranks.rank, ranks.shared_at.places[barrier & 1])[at] = group;
	in_shared_window<uint4>(ranks, ranks.rank, ranks.shared_at.groups[barrier & 1])[at] = words;
}

// Returns the number of groups in a rank's shared-memory window, as published at the last barrier.
__device__ inline u32 groups_of(const Ranks &ranks, u32 rank) {
	return (u32)read_now((const ull *)ranks.published_words + rank);
}

constexpr u32 kGroupBytes = sizeof(u32) + sizeof(uint4); // of a list entry

// Stores the groups of a barrier's lists in both bitmaps.
__device__ __noinline__ inline void take_groups(const Ranks &ranks, u32 barrier, u32 *const (&visited)[2]) {
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	for (u32 k = 1; k < ranks.count; k++) {
		const u32 r = rank_after(ranks, k);
		if (!shares_memory(ranks, r)) continue;
		const u32 *places = in_shared_window<u32>(ranks, r, ranks.shared_at.places[barrier & 1]);
		const uint4 *groups = in_shared_window<uint4>(ranks, r, ranks.shared_at.groups[barrier & 1]);
		const u32 n = groups_of(ranks, r);
		const u64 part = ((u64)r << ranks.shift) / kGroup;
		for (u32 i = thread; i < n; i += threads) {
			const u32 place = __ldcv(places + i);
			const uint4 words = __ldcv(groups + i);
			for (u32 *bitmap : visited) ((uint4 *)bitmap)[part + place] = words;
		}
	}
}

} // namespace g500
