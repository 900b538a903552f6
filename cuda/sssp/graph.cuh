// SPDX-License-Identifier: Apache-2.0

// The weighted graph as kernels of a search read it.
#pragma once

#include "common/bitmap.cuh"
#include "common/block.cuh"
#include "common/types.cuh"
#include "kernel1/kernel1.h"

namespace g500::sssp {

// The word with a vertex's distance.

// A distance is a non-negative float, so distances are ordered like their words, and the highest bit is free. After the
// first sweep it marks distances beyond the threshold that are final.
constexpr u32 kFinal = 1u << 31;
constexpr u32 kInfinite = 0x7f800000; // bits of infinity: not reached

__device__ inline float infinity() { return __uint_as_float(kInfinite); }
__device__ inline float distance_in(u32 word) { return __uint_as_float(word & ~kFinal); }
__device__ inline bool is_final(u32 word) { return word & kFinal; }

using Col = g500_weighted_col;

constexpr int kMostLevels = 64; // of trees

// Graph has its vertices in degree order. Vertices outside trees come first; they are the non-leaf subgraph, unless the
// graph was pruned. Then come vertices of trees attached to it: their rows have one edge, to the vertex above. Inner
// vertices, which have other vertices below them, are sorted by their distance from the non-tree subgraph in edges; the
// leaves of the trees follow.
//
// Vertices of any rank are identified by packed global id, rows by local id. On one rank these are the same.
struct Graph {
	u32 non_isolated, owned;
	u32 non_tree;     // lower local ids are outside trees, on every rank
	u32 own_non_tree; // of this rank's vertices
	u32 rank, shift;
	u32 base, mask;   // global id of local id 0; mask of the local id in a global id
	u32 inner;        // lower local ids are outside trees or inner vertices, on every rank
	u32 levels;       // of inner vertices
	u32 level_begin[kMostLevels + 1]; // first local id of each level, and the end
	float heaviest; // weight
	u64 tree_cols;  // beginning of the trees' rows in cols
	const u64 *rows;
	const Col *cols;
	uint4 *first; // of this rank's vertices outside trees: the first two edges of each row (FirstEdges)
	u16 *detour;    // of the same vertices: the first edge's (detour_of)
	ushort2 *later; // of the same vertices: the second edge's detour, and the third weight, as WeightBound
	const u32 *light;     // by global id, in pushes over light edges (light_row), else null: the place of the vertex's
	                      // first one in light_edges, or 0 if it has none
	const Col *light_edges;
	const u32 *labels;    // by global id
	const u32 *local_ids; // by owned label; kNone without an edge

	__device__ u32 local_id(u32 global_id) const { return global_id & mask; }
	__device__ bool owns(u32 global_id) const { return (global_id & ~mask) == base; }
	__device__ bool is_outside_trees(u32 global_id) const { return local_id(global_id) < non_tree; }
	__device__ bool is_leaf(u32 global_id) const { return local_id(global_id) >= inner; } // of a tree
	__device__ u32 in_trees(u32 local_id) const { return local_id - own_non_tree; } // place among the vertices of trees
	__device__ Col above(u32 local_id) const { // the edge of a vertex of a tree
		const uint2 c = __ldg((const uint2 *)(cols + tree_cols + in_trees(local_id)));
		return {c.x, __uint_as_float(c.y)};
	}
};

// WeightBound is a lower bound of a weight in 2 bytes, its high half; infinite without such an edge.
struct WeightBound {
	__device__ static u16 of(float weight) { return (u16)(__float_as_uint(weight) >> 16); }
	__device__ static float in(u16 half) { return __uint_as_float((u32)half << 16); }
};

// FirstEdges are the first two edges of a row, with infinite weight if there are fewer. Most pulls need no more.
struct FirstEdges {
	Col of[2];

	__device__ explicit FirstEdges(uint4 words) {
		of[0] = {words.x, __uint_as_float(words.y)};
		of[1] = {words.z, __uint_as_float(words.w)};
	}
	__device__ FirstEdges(const Graph &g, u32 local_id) : FirstEdges(__ldg(g.first + local_id)) {}

	// Returns the format in memory for a row of n edges.
	__device__ static uint4 in_row(const Col *cols, u64 n) {
		const Col none{kNone, __uint_as_float(kInfinite)}, a = n > 0 ? cols[0] : none, b = n > 1 ? cols[1] : none;
		return make_uint4(a.global_id, __float_as_uint(a.weight), b.global_id, __float_as_uint(b.weight));
	}
};

// Returns the detour of an edge to u in the row of v: a lower bound of the weights of u's edges to vertices other than
// v, by u's first two weights. The first one is of the edge to v, unless it is lighter.
__device__ inline u16 detour_of(const Col &edge, float first, float second) {
	return WeightBound::of(first < edge.weight ? first : second);
}

// Light edges have weights below the window. Only they lead from a vertex at least as far as the nearest landmark to
// one within the window, because rounded sums are monotonous. In the official graph of scale 26 they are 0.2% of the
// edges. Ranks that are not peers therefore store the light edges of all of them: each pushes over all of these,
// without an exchange, and then has all distances within the window.
//
// A rank's entries are, for each of its vertices with light edges, in any order: its global id with their number, and
// then these edges, sorted by weight.

// Returns the entry before n light edges of a vertex. No edge has such a weight.
__device__ inline Col light_row(u32 v, u32 n) { return {v, __uint_as_float(kFinal | n)}; }
__device__ inline bool is_light_row(const Col &entry) { return is_final(__float_as_uint(entry.weight)); }
__device__ inline u32 light_count(const Col &entry) { return __float_as_uint(entry.weight) & ~kFinal; }

} // namespace g500::sssp
