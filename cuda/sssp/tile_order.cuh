// SPDX-License-Identifier: Apache-2.0

// The order in which the result reads a search's data.
#pragma once

#include "common/tiles.cuh"
#include "sssp/graph.cuh"

namespace g500::sssp {

// TileOrder has this rank's vertices by the tile of their label; in a tile those outside trees, then those of trees,
// each in degree order.
struct TileOrder {
	const uint2 *start;   // tiles+1: places of a tile's first vertex and first vertex of trees
	const u32 *vertex;    // by place: a local id outside trees; of a vertex of a tree, the global id of the vertex
	                      // above
	const float *weight;  // of the edge to the vertex above; not read for vertices outside trees
	const u32 *first_end; // the label of the first edge's end, or kNone
	const uint16_t *code; // the number of the label in the tile
};

// TileOrderStore owns the arrays.
class TileOrderStore {
public:
	// Derives the order from the labels and first edges of a graph. Synchronous.
	int derive(const Graph &g, u32 ranks, cudaStream_t stream);

	TileOrder view() const { return {start_, vertex_, weight_, first_end_, code_}; }

private:
	Array<uint2> start_;
	Array<u32> vertex_, first_end_;
	Array<float> weight_;
	Array<uint16_t> code_;
};

} // namespace g500::sssp
