// The order in which the result reads what a search has found.
#pragma once

#include "search/tiles.cuh"
#include "sssp/graph.cuh"

namespace g500::sssp {

// TileOrder has this rank's vertices by the tile of their label, within a tile in hub order.
struct TileOrder {
	const u32 *start;     // tiles+1: where a tile's vertices begin
	const u32 *hub;       // of each place
	const u32 *first;     // the label of the end of its first edge, or kNone
	const uint16_t *code; // the number of its label in the tile
};

// TileOrderStore owns it.
class TileOrderStore {
public:
	// Derives the order from the labels and first edges of a graph. Synchronous.
	int derive(const Graph &g, u32 ranks, cudaStream_t stream);

	TileOrder view() const { return {sorted_.start, sorted_.hub, first_, code_}; }

private:
	SortedByPart sorted_;
	Array<u32> first_;
	Array<uint16_t> code_;
};

} // namespace g500::sssp
