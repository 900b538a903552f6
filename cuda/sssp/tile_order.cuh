// SPDX-License-Identifier: Apache-2.0

// The order in which the result reads a search's data.
#pragma once

#include "common/tiles.cuh"
#include "sssp/graph.cuh"

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

// Derives the order from the labels and first edges of a graph. Synchronous.
int derive_tile_order(const Graph &g, u32 ranks, Arrays &held, TileOrder *order, cudaStream_t stream);

} // namespace g500::sssp
