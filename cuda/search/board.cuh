// Boards: host memory in which a rank leaves words for the ranks of its host that are no peers, whose kernels read them
// there. The host has no part in it. Words go over PCIe once to be written and once for each reader, side by side.
//
// Of bitmaps a rank lists the groups that have changed since it listed last, each once, with their places in its part. The
// parts of such ranks are the same in both bitmaps of a search, so that changes of one level are enough. There are two
// lists in turn, and two boxes of pairs for each rank, since a rank may be one barrier ahead of those that read.
#pragma once

#include "search/search.cuh"
#include "search/world.cuh"

namespace g500 {

// Lists a group of words for the barrier with number turn, if it has changed. All of a warp's lanes do it together.
__device__ inline void list_group(const World &w, u32 turn, bool changed, u32 group, const uint4 &words, ull *listed) {
	const u32 lane = threadIdx.x & 31, lanes = __ballot_sync(~0u, changed);
	u64 at = 0;
	if (lane == 0 && lanes) at = atomicAdd(listed, (ull)__popc(lanes));
	at = __shfl_sync(~0u, at, 0) + __popc(lanes & ((1u << lane) - 1));
	if (!changed) return;
	on_board<u32>(w, w.rank, w.board.places[turn & 1])[at] = group;
	on_board<uint4>(w, w.rank, w.board.groups[turn & 1])[at] = words;
}

// The groups on a rank's board, as it told at the last barrier.
__device__ inline u32 groups_of(const World &w, u32 rank) { return (u32)read_now((const ull *)w.listed + rank); }

constexpr u32 kGroupBytes = sizeof(u32) + sizeof(uint4); // in a list

// Takes the groups that have been listed for the barrier with number turn into both bitmaps.
__device__ __noinline__ void take_groups(const World &w, u32 turn, u32 *const (&visited)[2]) {
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	for (u32 k = 1; k < w.ranks; k++) {
		const u32 r = w.rank + k < w.ranks ? w.rank + k : w.rank + k - w.ranks; // not all from the same one at once
		if (!is_near(w, r)) continue;
		const u32 *places = on_board<u32>(w, r, w.board.places[turn & 1]), n = groups_of(w, r);
		const uint4 *groups = on_board<uint4>(w, r, w.board.groups[turn & 1]);
		const u64 part = ((u64)r << w.shift) / kGroup;
		for (u32 i = thread; i < n; i += threads) {
			const u32 place = __ldcv(places + i);
			const uint4 words = __ldcv(groups + i);
			for (u32 *bitmap : visited) ((uint4 *)bitmap)[part + place] = words;
		}
	}
}

} // namespace g500
