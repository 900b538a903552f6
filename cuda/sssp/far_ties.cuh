// Parents of tied vertices (ties.cuh) between ranks that are not peers.
#pragma once

#include "sssp/row_parts.cuh"
#include "sssp/ties.cuh"

namespace g500::sssp {

// Stores nearer neighbours as parents of the listed vertices. All warps search the long rows, because one warp would
// search that of a hub at the same distance as a neighbour for milliseconds.
__device__ __noinline__ inline void find_far_parents(Context &k, ull *tied) {
	const WordList &list = k.state.list;
	const bool leads = lane_of_thread() == 0;
	find_parents<false>(k, tied, [&](u32 v) {
		const bool defers = list_parts(k, v);
		if (defers && leads) k.state.parent[v] = kTied;
		return defers;
	});
	const u64 parts = for_parts(k, [&](u32 v, u64 first) {
		const u32 nearer = find_neighbour<false>(k, v, false, first, k.policy.part);
		if (leads && nearer != kNone) k.state.parent[v] = nearer;
	});
	for (u64 i = thread_number<kThreads>(); i < parts; i += gridDim.x * kThreads) {
		const uint2 part = __ldcg(list.at + i);
		if (part.y == 0 && read_now(k.state.parent + k.graph.base + part.x) == kTied) atomicAdd(tied, 1);
	}
	grid_barrier(k); // before the list is used again
}

// Lists this rank's vertices that are tied.
__device__ __noinline__ inline void list_still_tied(Context &k) {
	if (is_first_thread()) *k.state.list.count = 0;
	grid_barrier(k);
	for_listed<false>(k, kTied, [&](u32 v) {
		append_words(k.state.list, lane_of_thread() == 0, k.graph.local_id(v), 0);
	});
}

} // namespace g500::sssp
