// SPDX-License-Identifier: Apache-2.0

// The order in which the result reads a search's data.
#pragma once

#include "common/tiles.cuh"
#include "sssp/context.cuh"

namespace g500::sssp {

// TileOrder has this rank's vertices by the tile of their label; in a tile those outside trees, then those of trees,
// each in degree order.
struct TileOrder {
	uint2 *start;   // tiles+1: places of a tile's first vertex and first vertex of trees
	u32 *vertex;    // by place: a local id outside trees; of a vertex of a tree, the global id of the vertex above
	float *weight;  // of the edge to the vertex above; not read for vertices outside trees
	u32 *first_end; // the label of the first edge's end, or kNone
	uint16_t *code; // the number of the label in the tile
};

// Stores the tile of each vertex's label.
// Map:    one thread per vertex. Reads: 4 B per vertex. Writes: 4 B per vertex.
__global__ void find_tiles_kernel(const __grid_constant__ Graph g, u32 ranks, u32 *tile) {
	const u32 v = thread_number<kThreads>();
	if (v < g.non_isolated) tile[v] = g.labels[g.base + v] / ranks / kTile;
}

// Stores the places of each tile's first vertex and first vertex of trees.
// Map:    one thread per tile, and one for the end. Reads: 8 B and a binary search in 4 KB. Writes: 8 B.
__global__ void
describe_tiles_kernel(u32 own_non_tree, u32 tiles, const u32 *start, const u32 *local_id, uint2 *described) {
	const u32 t = thread_number<kThreads>();
	if (t > tiles) return;
	const u32 end = t < tiles ? start[t + 1] : start[t];
	described[t] = make_uint2(start[t], first_not(start[t], end, [=](u32 i) { return local_id[i] < own_non_tree; }));
}

// Fills the arrays in tile order.
// Map:    one thread per vertex. Reads: 4 B and 16 random B per vertex. Writes: 14 B per vertex.
__global__ void fill_kernel(const __grid_constant__ Graph g, u32 ranks, const u32 *local_id, TileOrder to) {
	const u32 place = thread_number<kThreads>();
	if (place >= g.non_isolated) return;
	const u32 v = local_id[place];
	const bool is_non_tree = v < g.own_non_tree;
	const Col first = is_non_tree ? FirstEdges(g, v).of[0] : g.above(v);
	to.vertex[place] = is_non_tree ? v : first.global_id;
	to.weight[place] = first.weight;
	to.first_end[place] = first.global_id == kNone ? kNone : g.labels[first.global_id];
	to.code[place] = (uint16_t)(g.labels[g.base + v] / ranks % kTile);
}

// Derives the order from the labels and first edges of a graph. Synchronous.
inline int derive_tile_order(const Graph &g, u32 ranks, Arrays &held, TileOrder *order, cudaStream_t stream) {
	const u32 tiles = tiles_of(g.owned);
	const Launch by_vertex = thread_for(g.non_isolated, stream);
	SortedByPart sorted;
	Array<u32> tile;
	G500_TRY(tile.alloc(g.non_isolated));
	G500_LAUNCH(find_tiles_kernel, by_vertex, g, ranks, tile.get());
	if (const int code = sorted.sort(tile, g.non_isolated, tiles, stream)) return code;
	tile.free();
	sorted.part.free();
	G500_TRY(held.alloc(tiles + 1, order->start));
	G500_TRY(held.alloc(g.non_isolated, order->vertex, order->weight, order->first_end, order->code));
	const u32 *const local_id = sorted.local_id;
	G500_LAUNCH(describe_tiles_kernel, thread_for(tiles + 1, stream), g.own_non_tree, tiles,
	            sorted.start.get(), local_id, order->start);
	G500_LAUNCH(fill_kernel, by_vertex, g, ranks, local_id, *order);
	return cudaStreamSynchronize(stream); // before the sorted arrays are freed
}

} // namespace g500::sssp
