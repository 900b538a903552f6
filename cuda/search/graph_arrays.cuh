// SPDX-License-Identifier: Apache-2.0

// The arrays that a search reads.
#pragma once

#include "common/check.cuh"
#include "common/warp.cuh"
#include "search/graph.cuh"

namespace g500 {

// GraphArrays is the kernels' access to the arrays, and what only the caller reads.
class GraphArrays {
public:
	Graph view{};

	// Derives the arrays, in held memory, from a graph, which must outlive them. The labels of first neighbours are global
	// ids until the caller replaces them. Synchronous.
	int derive(const g500_graph &g, Arrays &held, cudaStream_t stream);

	g500_global_ids first_neighbours() const { return {view.tile_first, tile_first_ranks}; }

	// Frees the rank fields of first neighbours, which only the caller reads, after it has stored the labels.
	void free_first_ranks() { tile_first_ranks.free(); }

private:
	bool ids64() const { return view.col_ranks; }
	int neighbours(Arrays &held, cudaStream_t stream);
	int tiles(const g500_graph &g, Arrays &held, cudaStream_t stream);

	Array<u16> tile_first_ranks; // with 64-bit ids
};

// Counts the vertices of each class and their edges. Synchronous.
int count_degrees(const Graph &g, u64 *vertices, u64 *edges, cudaStream_t stream);

} // namespace g500
