// Pruning (ADR 19) leaves edges out of a graph that are on no shortest path, whatever the root: those longer than the
// way around by a hub. What is left are mostly trees. They are stripped from the core, and hang behind it in hub order.
#pragma once

#include "common/check.cuh"
#include "sssp/found.cuh"

namespace g500::sssp {

// Depths of vertices on which nothing hangs.
constexpr u32 kLeafDepth = kMostLevels + 1;
constexpr u32 kOldLeafDepth = kLeafDepth + 1; // of leaves of the old graph, on several ranks
constexpr u32 kDepths = kOldLeafDepth + 1;

// Kept are the edges that stay, in rows of the old core.
struct Kept {
	u64 *rows;
	Col *cols;
};

// Stripped tells of each vertex of the old graph where it hangs. All are by old hub id, of this rank.
struct Stripped {
	u32 *degree; // of the core: kept edges to vertices that are not stripped
	u32 *round;  // in which it was stripped; 0 if it stays
	u32 *listed; // round for which it was listed last
	Col *above;  // neighbour on which it hangs
	u32 *depth;  // edges to the core; on several ranks one of the depths above
	u32 *inner;  // 1 if another vertex hangs on it in a tree
};

// Renumbering is from old hub ids to new ones and back.
struct Renumbering {
	u32 *old_id;  // by new id
	u32 *new_id; // by old position, of all ranks
	u32 non_tree;     // new hub ids below are of the core, on every rank
};

__device__ inline u32 thread_number() { return blockIdx.x * kThreads + threadIdx.x; }

// One thread for each of n things, which are at least one.
inline Launch thread_for(u64 n, cudaStream_t stream) { return {blocks_for(n, kThreads), kThreads, stream}; }

} // namespace g500::sssp
