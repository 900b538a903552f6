// The weighted graph as kernels of a search see it.
#pragma once

#include "common/bitmap.cuh"
#include "common/block.cuh"
#include "kernel1/kernel1.h"
#include "sssp/distance.cuh"

namespace g500::sssp {

using Col = g500_weighted_col;

constexpr int kMostLevels = 64; // of trees

// Graph has its vertices in hub order. Those of the core come first. Behind it are vertices of trees that hang off it:
// their rows have one edge, to the vertex above. First come those on which others hang, the inner ones, by rising
// distance to the core in edges; then the leaves of the trees, on which nothing hangs.
//
// Vertices of all ranks go by position. Rows are by hub id, of this rank's vertices. On one rank both are the same.
struct Graph {
	u32 non_isolated, owned;
	u32 non_tree;     // hub ids below are of the core, on every rank
	u32 own_non_tree; // of this rank's hubs
	u32 rank, shift;
	u32 base, mask;                     // position of hub 0; hub id in a position
	u32 inner;   // hub ids below are of the core or of inner vertices of trees, on every rank
	u32 levels;                       // of inner vertices
	u32 level_begin[kMostLevels + 1]; // hub id of each level's first vertex, and of the end
	float heaviest; // weight
	u64 tree_cols;  // where the rows of the trees begin in cols
	const u64 *rows;
	const Col *cols;
	const uint4 *first; // of this rank's core: the first two columns of each row (FirstEdges)
	const u32 *labels;    // by position
	const u32 *local_ids; // by owned label; kNone without an edge

	__device__ u32 local_id(u32 global_id) const { return global_id & mask; }
	__device__ bool owns(u32 global_id) const { return (global_id & ~mask) == base; }
	__device__ bool is_outside_trees(u32 global_id) const { return local_id(global_id) < non_tree; }
	__device__ bool is_leaf(u32 global_id) const { return local_id(global_id) >= inner; } // of a tree
	__device__ u32 in_trees(u32 local_id) const { return local_id - own_non_tree; } // place among the vertices of trees
	__device__ Col above(u32 local_id) const { // of a vertex of a tree
		const uint2 c = __ldg((const uint2 *)(cols + tree_cols + in_trees(local_id)));
		return {c.x, __uint_as_float(c.y)};
	}
};

// FirstEdges are the first two of a row of the core, where a pull begins: most rows are not needed beyond. Where there
// are fewer, columns of infinite weight stand in their place.
struct FirstEdges {
	Col of[2];
	bool more; // edges in the row

	__device__ FirstEdges(const Graph &g, u32 local_id) {
		const uint4 words = __ldg(g.first + local_id);
		of[0] = {words.x, __uint_as_float(words.y)};
		of[1] = {words.z, __uint_as_float(words.w & ~kMore)};
		more = words.w & kMore;
	}

	// As they lie in memory, of a row of n edges.
	__device__ static uint4 in_row(const Col *cols, u64 n) {
		const Col none{kNone, __uint_as_float(kInfinite)}, a = n > 0 ? cols[0] : none, b = n > 1 ? cols[1] : none;
		const u32 more = n > 2 ? kMore : 0;
		return make_uint4(a.global_id, __float_as_uint(a.weight), b.global_id, __float_as_uint(b.weight) | more);
	}

private:
	static constexpr u32 kMore = 1u << 31; // weights are not negative
};

} // namespace g500::sssp
