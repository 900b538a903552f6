// Edges to vertices by their first neighbour.
#pragma once

#include "common/ranks.cuh"
#include "search/graph.cuh"

namespace g500 {

// Sets a bit for each edge of this rank that leads to a vertex by its first neighbour. `buffer` has space for the first
// neighbours of any rank; `known` has the graphs of all ranks.
int find_first_neighbour_edges(const Graph &g, const Ranks &ranks, const g500_ranks &known, u32 *buffer, u32 *bits,
                               cudaStream_t stream);

} // namespace g500
