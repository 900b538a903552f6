// SPDX-License-Identifier: Apache-2.0

// Pruning (ADR 19) removes edges that are on no shortest path from any root: those longer than the path through a hub.
// Most of the remaining graph is trees. They are stripped, and follow the non-tree subgraph in degree order.
#pragma once

#include "common/check.cuh"
#include "sssp/found.cuh"

namespace g500::sssp {

// Depths of vertices without vertices below them.
constexpr u32 kLeafDepth = kMostLevels + 1;
constexpr u32 kOldLeafDepth = kLeafDepth + 1; // of leaves of the old graph, on several ranks
constexpr u32 kDepths = kOldLeafDepth + 1;

// Kept is the kept edges, in rows of the old vertices outside trees.
struct Kept {
	u64 *rows;
	Col *cols;
};

// Stripped describes each vertex of the old graph, by this rank's old local id.
struct Stripped {
	u32 *degree; // of vertices outside trees: kept edges to vertices that are not stripped
	u32 *round;  // in which it was stripped; 0 if it is not
	u32 *listed; // last round for which it was listed
	Col *above;  // edge to the vertex above
	u32 *depth;  // distance from the non-tree subgraph in edges; on several ranks one of the depths above
	u32 *inner;  // 1 if another vertex is below it in a tree
};

// Renumbering maps old local ids to new ones and back.
struct Renumbering {
	u32 *old_id;  // by new local id
	u32 *new_id;  // by old global id, of all ranks
	u32 non_tree; // lower new local ids are outside trees, on every rank
};

// Stripping: which vertices become vertices of trees after edges were removed (prune.cuh), and the vertex above each.
//
// One rank strips complete trees, round by round from their leaves. Several ranks make one round, and strip only
// vertices that are not above others: a search then needs no levels of trees. Each rank first receives which vertices
// are above the leaves of all ranks.

// Strips complete trees, on one rank.
int strip_trees(const Graph &g, const Kept &kept, const Stripped &tree, cudaStream_t stream);

// On several ranks: lay_out_leaves writes this rank's part of the words by global id; strip_ends reads those of all
// ranks, which have that many places.
int lay_out_leaves(const Graph &g, u32 *words, cudaStream_t stream);
int strip_ends(const Graph &g, const Kept &kept, const Stripped &tree, u64 places, const u32 *words,
               cudaStream_t stream);

} // namespace g500::sssp
