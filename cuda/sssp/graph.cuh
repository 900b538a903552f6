// The weighted graph as kernels of a search see it.
#pragma once

#include "kernel1/kernel1.h"
#include "search/bitmap.cuh"
#include "search/block.cuh"

namespace g500::sssp {

using Column = g500_weighted_col;

constexpr int kMostLevels = 64; // of trees

// Graph has its vertices in hub order. Those of the core come first. Behind it are vertices of trees that hang off it,
// by rising distance to the core in edges: their rows have one edge, to the vertex above. Leaves are the first level.
struct Graph {
	u32 hubs, core, owned;
	u32 levels;                         // of trees
	u32 level_begin[kMostLevels + 1];   // hub id of each level's first vertex, and of the end
	float heaviest;                     // weight
	u64 tree_cols;                      // where the rows of the trees begin in cols
	const u64 *rows;
	const Column *cols;
	const u32 *labels; // by hub id
	const u32 *hub_of; // by owned label; kNone without an edge

	__device__ bool in_core(u32 v) const { return v < core; }
	__device__ Column above(u32 v) const { return cols[tree_cols + (v - core)]; } // of a vertex of a tree
};

} // namespace g500::sssp
