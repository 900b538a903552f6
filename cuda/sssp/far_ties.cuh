// Parents of tied vertices (ties.cuh) between ranks that are not peers.
#pragma once

#include "sssp/row_parts.cuh"
#include "sssp/ties.cuh"

namespace g500::sssp {

// Stores nearer neighbours as parents of the listed vertices. All warps search the long rows, because one warp would
// search that of a hub at the same distance as a neighbour for milliseconds.
__device__ __noinline__ inline void find_far_parents(Context &k) {
	const bool leads = lane_of_thread() == 0;
	if (is_first_thread()) *k.state.list.count = 0;
	grid_barrier(k);
	find_parents<FarRanks>(k, k.state.totals->still_tied, [&](u32 v) {
		const bool defers = list_parts(k, v);
		if (defers && leads) k.state.parent[v] = kTied;
		return defers;
	});
	for_parts(k, [&](u32 v, u64 first) {
		const u32 nearer = find_neighbour<FarRanks>(k, v, false, first, k.policy.part);
		if (leads && nearer != kNone) k.state.parent[v] = nearer;
	});
}

// Lists this rank's vertices that are tied.
__device__ __noinline__ inline void list_still_tied(Context &k) {
	if (is_first_thread()) *k.state.list.count = 0;
	grid_barrier(k);
	for_listed<FarRanks>(k, kTied, [&](u32 v) {
		append_words(k.state.list, lane_of_thread() == 0, k.graph.local_id(v), 0);
	});
}

} // namespace g500::sssp
