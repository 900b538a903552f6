// Which edges lead to a vertex by its first neighbour.
#pragma once

#include "common/ranks.cuh"
#include "search/graph.cuh"

namespace g500 {

// Finds them among this rank's edges, a bit each. buffer has room for the first neighbours of one rank. On several
// ranks known has the graphs of all.
int find_first_neighbour_edges(const Graph &g, const Ranks &ranks, const g500_ranks &known, u32 *buffer, u32 *bits,
                               cudaStream_t stream);

} // namespace g500
