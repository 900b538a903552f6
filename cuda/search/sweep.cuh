// How a bottom-up level shares vertices out: a warp sweeps kPad vertices side by side at a time, and a block's warps
// sweep side by side. A warp has a list for those that the first look did not settle.
#pragma once

#include "common/block.cuh"
#include "search/graph.cuh"
#include "search/state.cuh"

namespace g500 {

constexpr int kGroupsPerWarp = kPad / kGroup; // groups of 128 vertices that a warp sweeps at a time
constexpr u32 kBlockGroups = kWarps * kGroupsPerWarp; // that a block sweeps at a time
constexpr u32 kSweepWords = kPad / 32;

// PullShared is a block's part in a bottom-up level.
struct PullShared {
	u32 pushed;       // vertices that were pushed into the bitmap beforehand
	u32 found;
	u32 open_hubs;    // warps that have left hubs unvisited
	u32 listed[kWarps]; // entries in each warp's list of residual vertices
	u32 kept; // entries in the block's list of them, while it is made
	u64 base; // where what the block has found goes in the rank's queue
};

// Does something with each group that the block has swept.
template <typename Act>
__device__ inline void for_swept_groups(const Graph &g, Act act) {
	const u32 groups = g.padded / kGroup, turns = kThreads / kBlockGroups;
	for (u32 t = threadIdx.x / kBlockGroups;; t += turns) {
		const u64 group = ((u64)t * gridDim.x + blockIdx.x) * kBlockGroups + threadIdx.x % kBlockGroups;
		if (group >= groups) break;
		act(group);
	}
}

// Each warp has a list of missed vertices, with room for all that it sweeps: kPad at a time side by side with the
// block's other warps, or kBlockGroups groups at a time in turn with them (hub_neighbours.cuh).
__host__ __device__ inline u64 list_capacity(u32 padded, u32 blocks) {
	const u64 turn = (u64)blocks * kWarps * kPad, turns = (padded + turn - 1) / turn;
	return (turns + kWarps - 1) / kWarps * kWarps * kPad;
}
__device__ inline u64 list_capacity(const Graph &g) { return list_capacity(g.padded, gridDim.x); }

// Where the lists of a block's warps begin, and that of a warp.
__device__ inline u32 *missed_lists(const Graph &g, const State &s) {
	return s.missed + blockIdx.x * kWarps * list_capacity(g);
}
__device__ inline u32 *missed_list(const Graph &g, const State &s) {
	return missed_lists(g, s) + threadIdx.x / 32 * list_capacity(g);
}

} // namespace g500
