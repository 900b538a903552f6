// Which edges lead to a vertex by its first neighbour.
#pragma once

#include "common/check.cuh"
#include "search/search.cuh"
#include "search/world.cuh"

namespace g500 {

// Finds them among this rank's edges, a bit each, with room for the first neighbours of one rank in buffer. On several ranks
// known has the graphs of all.
int find_firsts(const Columns &g, const World &w, const g500_world &known, u32 *buffer, u32 *firsts, cudaStream_t stream);

} // namespace g500
