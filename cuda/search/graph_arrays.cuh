// SPDX-License-Identifier: Apache-2.0

// The arrays that a search reads.
#pragma once

#include "common/check.cuh"
#include "common/warp.cuh"
#include "search/graph.cuh"

namespace g500 {

// GraphArrays owns the arrays; view is the kernels' access to them.
class GraphArrays {
public:
	Graph view{};

	// Derives the arrays from a graph, which must outlive them. The labels of first neighbours are global ids until the
	// caller replaces them. Synchronous.
	int derive(const g500_graph &g, cudaStream_t stream);

	g500_global_ids first_neighbours() const { return {tile_first, tile_first_ranks}; }

	// Frees the rank fields of first neighbours, which only the caller reads, after it has stored the labels.
	void free_first_ranks() { tile_first_ranks.free(); }

private:
	bool ids64() const { return view.col_ranks; }
	int neighbours(cudaStream_t stream);
	int tiles(const g500_graph &g, cudaStream_t stream);

	Array<u32> first, tile_run, tile_vertex, tile_first, tile_code64;
	Array<uint4> next4, tile_start;
	Array<u16> tile_code;
	Array<u16> first_ranks, tile_vertex_ranks, tile_first_ranks; // with 64-bit ids
	Array<ushort4> next4_ranks;
};

// Counts the vertices of each class and their edges. Synchronous.
int count_degrees(const Graph &g, u64 *vertices, u64 *edges, cudaStream_t stream);

} // namespace g500
