// The order in which the result reads what a search has found.
#pragma once

#include "common/tiles.cuh"
#include "sssp/graph.cuh"

namespace g500::sssp {

// TileOrder has this rank's vertices by the tile of their label, within a tile in hub order: those of the core, then
// those of trees.
struct TileOrder {
	const uint2 *start;   // tiles+1: where a tile's vertices begin, and where those of trees among them do
	const u32 *vertex;    // of each place: a hub id of the core; of a vertex of a tree, the position of that above
	const float *weight;  // of the edge to the vertex above; of the core it is not read
	const u32 *first_end; // the label of the end of its first edge, or kNone
	const uint16_t *code; // the number of its label in the tile
};

// TileOrderStore owns it.
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
