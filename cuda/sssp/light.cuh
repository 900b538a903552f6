// Light edges have weights below the window. Only they lead from a vertex at least as far as the nearest landmark to
// one within the window, because rounded sums are monotonous. In the official graph of scale 26 they are 0.2% of the
// edges. Ranks that are not peers therefore store the light edges of all of them: each pushes over all of these,
// without an exchange, and then has all distances within the window.
//
// A rank's entries are, for each of its vertices with light edges, in any order: its global id with their number, and
// then these edges, sorted by weight.
#pragma once

#include "sssp/graph.cuh"

namespace g500::sssp {

// Returns the entry before n light edges of a vertex. No edge has such a weight.
__device__ inline Col light_row(u32 v, u32 n) { return {v, __uint_as_float(kFinal | n)}; }
__device__ inline bool is_light_row(const Col &entry) { return is_final(__float_as_uint(entry.weight)); }
__device__ inline u32 light_count(const Col &entry) { return __float_as_uint(entry.weight) & ~kFinal; }

} // namespace g500::sssp
