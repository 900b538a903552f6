// The columns that a search reads, and who owns them.
#pragma once

#include "common/check.cuh"
#include "search/graph.cuh"

namespace g500 {

// GraphArrays owns them; view is what the kernels get.
class GraphArrays {
public:
	Graph view{};

	// Derives the columns from a graph, which must outlive them, but for the labels of first neighbours: where those
	// are to be, their positions are. Synchronous.
	int derive(const g500_graph &g, cudaStream_t stream);

	g500_global_ids first_neighbours() const { return {tile_first, tile_first_ranks}; }

private:
	bool ids64() const { return view.col_ranks; }
	int neighbours(cudaStream_t stream);
	int tiles(const g500_graph &g, cudaStream_t stream);

	Array<u32> first, tile_run, tile_vertex, tile_first;
	Array<uint4> next4, tile_start;
	Array<u16> tile_code;
	Array<u16> first_ranks, tile_vertex_ranks, tile_first_ranks; // in the wide form
	Array<ushort4> next4_ranks;
};

} // namespace g500
