// SPDX-License-Identifier: Apache-2.0

// Distribution of a bottom-up level: a warp sweeps kPad consecutive vertices at a time, and the warps of a block sweep
// consecutive ranges. Each warp has a list of vertices whose first neighbour is not visited.
#pragma once

#include "common/block.cuh"
#include "search/graph.cuh"
#include "search/state.cuh"

namespace g500 {

constexpr int kGroupsPerWarp = kPad / kGroup; // groups of 128 vertices that a warp sweeps at a time
constexpr u32 kBlockGroups = kWarps * kGroupsPerWarp; // groups that a block sweeps at a time
constexpr u32 kSweepWords = kPad / 32;

// PullShared is a block's shared memory in a bottom-up level.
struct PullShared {
	u32 found;          // vertices that found a parent
	u32 open_hubs;      // warps that have left hubs unvisited
	u32 listed[kWarps]; // length of each warp's list
	u32 kept;           // length of the block's list of remaining vertices, while it is made
	u64 base;           // place of the block's found vertices in the rank's queue
};

// Calls act for each group that the block has swept.
template <typename Act>
__device__ inline void for_swept_groups(const Graph &g, Act act) {
	const u32 groups = g.padded / kGroup, turns = kThreads / kBlockGroups;
	for (u32 t = threadIdx.x / kBlockGroups;; t += turns) {
		const u64 group = ((u64)t * gridDim.x + blockIdx.x) * kBlockGroups + threadIdx.x % kBlockGroups;
		if (group >= groups) break;
		act(group);
	}
}

// Returns the capacity of a warp's list of missed vertices: all vertices that it sweeps, kPad at a time next to the
// block's other warps, or kBlockGroups groups at a time in turns with them (hub_arrays.cuh).
__host__ __device__ inline u64 list_capacity(u32 padded, u32 blocks) {
	const u64 turn = (u64)blocks * kWarps * kPad, turns = (padded + turn - 1) / turn;
	return (turns + kWarps - 1) / kWarps * kWarps * kPad;
}
__device__ inline u64 list_capacity(const Graph &g) { return list_capacity(g.padded, gridDim.x); }

// Return the first list of a block's warps, and the list of a warp.
__device__ inline u32 *missed_lists(const Graph &g, const State &s) {
	return s.missed + blockIdx.x * kWarps * list_capacity(g);
}
__device__ inline u32 *missed_list(const Graph &g, const State &s) {
	return missed_lists(g, s) + threadIdx.x / 32 * list_capacity(g);
}

} // namespace g500
