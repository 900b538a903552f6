// Pruning (ADR 19) leaves edges out of a graph that are on no shortest path, whatever the root: those longer than the
// way around by a hub. What is left are mostly trees. They are stripped from the core, and hang behind it in hub order.
#pragma once

#include "sssp/found.cuh"

namespace g500::sssp {

constexpr u32 kLeafDepth = kMostLevels + 1;
constexpr u32 kStripRounds = kMostLevels - 4; // a vertex that would be deeper in a tree stays in the core

// Survey is what the search from the hub has found, for the margin.
struct Survey {
	u32 farthest; // bits of the largest distance in the core
	u32 hops;     // edges on the longest path of the hub's tree in the core
	u32 changed;  // a depth, in the last step
};

// Kept are the edges that stay, in rows of the old core.
struct Kept {
	u64 *rows;
	Column *cols;
};

// Stripped tells of each vertex of the old graph where it hangs. All are by old hub id.
struct Stripped {
	u32 *degree;   // of the core: kept edges to vertices that are not stripped
	u32 *round;    // in which it was stripped; 0 if it stays
	u32 *listed;   // round for which it was listed last
	Column *above; // neighbour on which it hangs
	u32 *depth;    // edges to the core
	u32 *inner;    // 1 if another vertex hangs on it in a tree
};

// StripRound takes the vertices in places begin to end-1 of the list off the core, and lists others behind them.
struct StripRound {
	u32 round, begin, end;
	u32 *list;
	ull *length; // of the list
};

// Renumbering is from old hub ids to new ones and back.
struct Renumbering {
	u64 *order;  // by new id: depth << 32 | old id; the depth of leaves of trees is kLeafDepth
	u32 *new_id; // by old id

	__device__ u32 old_id(u32 v) const { return (u32)order[v]; }
	__device__ u32 depth(u32 v) const { return (u32)(order[v] >> 32); }
};

} // namespace g500::sssp
