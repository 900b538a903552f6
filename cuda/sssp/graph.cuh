// The weighted graph as kernels of a search see it.
#pragma once

#include "common/bitmap.cuh"
#include "common/block.cuh"
#include "kernel1/kernel1.h"
#include "sssp/distance.cuh"

namespace g500::sssp {

using Column = g500_weighted_col;

constexpr int kMostLevels = 64; // of trees

// Graph has its vertices in hub order. Those of the core come first. Behind it are vertices of trees that hang off it:
// their rows have one edge, to the vertex above. First come those on which others hang, the inner ones, by rising
// distance to the core in edges; then the leaves of the trees, on which nothing hangs.
//
// Vertices of all ranks go by position. Rows are by hub id, of this rank's vertices. On one rank both are the same.
struct Graph {
	u32 hubs, owned;
	u32 core;    // hub ids below are of the core, on every rank
	u32 in_core; // of this rank's hubs
	u32 rank, shift;
	u32 base, mask;                     // position of hub 0; hub id in a position
	u32 inner;   // hub ids below are of the core or of inner vertices of trees, on every rank
	u32 levels;                       // of inner vertices
	u32 level_begin[kMostLevels + 1]; // hub id of each level's first vertex, and of the end
	float heaviest;                     // weight
	u64 tree_cols;                      // where the rows of the trees begin in cols
	const u64 *rows;
	const Column *cols;
	const uint4 *first; // of this rank's core: the first two columns of each row (FirstEdges)
	const u32 *labels; // by position
	const u32 *hub_of; // by owned label; kNone without an edge

	__device__ u32 hub(u32 position) const { return position & mask; }
	__device__ bool owns(u32 position) const { return (position & ~mask) == base; }
	__device__ bool is_in_core(u32 position) const { return hub(position) < core; }
	__device__ bool is_leaf(u32 position) const { return hub(position) >= inner; } // of a tree
	__device__ u32 in_trees(u32 hub) const { return hub - in_core; } // place among the vertices of trees
	__device__ Column above(u32 hub) const { // of a vertex of a tree
		const uint2 c = __ldg((const uint2 *)(cols + tree_cols + in_trees(hub)));
		return {c.x, __uint_as_float(c.y)};
	}
};

// FirstEdges are the first two of a row of the core, where a pull begins: most rows are not needed beyond. Where there
// are fewer, columns of infinite weight stand in their place.
struct FirstEdges {
	Column of[2];
	bool more; // edges in the row

	__device__ FirstEdges(const Graph &g, u32 hub) {
		const uint4 words = __ldg(g.first + hub);
		of[0] = {words.x, __uint_as_float(words.y)};
		of[1] = {words.z, __uint_as_float(words.w & ~kMore)};
		more = words.w & kMore;
	}

	// As they lie in memory, of a row of n edges.
	__device__ static uint4 in_row(const Column *cols, u64 n) {
		const Column none{kNone, __uint_as_float(kInfinite)}, a = n > 0 ? cols[0] : none, b = n > 1 ? cols[1] : none;
		const u32 more = n > 2 ? kMore : 0;
		return make_uint4(a.position, __float_as_uint(a.weight), b.position, __float_as_uint(b.weight) | more);
	}

private:
	static constexpr u32 kMore = 1u << 31; // weights are not negative
};

} // namespace g500::sssp
