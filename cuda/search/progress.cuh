// SPDX-License-Identifier: Apache-2.0

// The steps of a search, and its progress as one block or the host knows it.
#pragma once

#include "common/bitmap.cuh"
#include "search/step.h"

namespace g500 {

enum Step : u32 {
#define G500_ROW(NAME, constant, ...) constant = G500_##NAME,
	G500_STEPS(G500_ROW)
#undef G500_ROW
};

__host__ __device__ inline bool is_bottom_up(u32 step) {
#define G500_ROW(NAME, constant, name, direction, ...) || (direction == G500_BOTTOM_UP && step == constant)
	return false G500_STEPS(G500_ROW);
#undef G500_ROW
}

// Returns whether the level makes a new bitmap, from which the next frontier must be listed.
__host__ __device__ inline bool makes_bitmap(u32 step) { return is_bottom_up(step) || step == kPushSegments; }

// Returns whether the level lists the remaining vertices.
__host__ __device__ inline bool lists_remaining(Step step) {
#define G500_ROW(NAME, constant, name, direction, lists, ...) || (lists && step == constant)
	return false G500_STEPS(G500_ROW);
#undef G500_ROW
}

// Shared is the part of the progress that is the same in all blocks and on all ranks.
struct Shared {
	Step step;        // of the level, or after it of the last level
	int level;
	int current; // visited[current] is the newest bitmap
	u32 sweeps;  // kPull, kPullListing and kPullHubs levels so far
	bool hubs_visited; // after a sweep: all hubs of all ranks are visited
	bool decided;      // all vertices are reached in this level or before whose first neighbour is a hub
	u64 unexplored; // edges of vertices in no top-down frontier so far; the frontiers after sweeps are not subtracted
	u64 unvisited;  // non-leaf vertices in no frontier so far; one more if the root is not a leaf
	u64 frontier;   // vertices
	u64 edges;      // edges of the frontier, or 0 if unknown
	u64 estimate;   // estimated edges of the next frontier, while its vertices are pushed

	bool estimated;   // `edges` is an estimate, the same on all ranks; or they need not lead back, in a directed graph
	bool synchronized; // all ranks have all replicated bits of visited vertices
	bool swept;       // there was at least one sweep
};

// Progress has more members of the block, of its rank, and of all ranks.
struct Progress : Shared {
	u64 root;    // its global id; kNone on ranks that do not own the root, if ranks do not read each other's graphs
	u32 barriers;   // of all ranks, over all searches
	u32 rounds;     // of pairs, over all searches
	bool overlapping; // writing the result has started
	bool reports;     // the rank lists claimed vertices in its report (far.cuh)
	bool failed;      // the barrier has failed

	// Subtracts a frontier's edges from the unexplored ones. Earlier estimates may have been too high.
	__device__ void explore(u64 edges_of_frontier) { unexplored -= min(edges_of_frontier, unexplored); }

	// Of the rank.
	int queue;          // queue[queue] is its part of the frontier, top-down
	u32 queued;         // vertices in it
	u64 queued_edges;   // edges of these vertices
	u64 reached;        // vertices in all its frontiers before the first sweep
	const u64 *offsets; // edges of the vertices before each one in the queue; may be in shared memory
	u32 arrivals;       // number of blocks' arrivals at grid barriers, over all searches, after the last barrier
	u32 blocks;         // that participate in the search

	// Of the block.
	u32 place;           // number among the participating blocks
	bool stays;          // it continues to search while the result is written
	u32 *remaining;      // list of its remaining unvisited vertices
	u32 remaining_count; // entries in that list
	u32 first_unvisited; // among the vertices that it swept when it made the list; kNone if all were visited
};

} // namespace g500
