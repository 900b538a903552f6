// SPDX-License-Identifier: Apache-2.0

// Bottom-up levels after frontiers with few vertices besides hubs (ADR 47). Unvisited vertices search for parents only
// among hubs, with which their rows begin, and whose bits fit into the L1 cache. The other vertices of the frontier
// push. So vertices that search in vain read a part of their rows only. Source: Cao et al. (New Sunway's Graph500 code,
// SC 2022), for directions by degree class.
#pragma once

#include "search/pull.cuh"
#include "search/push_tail.cuh"

namespace g500 {

// Searches for parents of the vertices that the block sweeps, among the vertices below local id `limit` of each rank.
template <typename Form>
__device__ __noinline__ void search_hubs(Context<Form> &k, const Sweep sweep, u32 limit) {
	if (threadIdx.x == 0) k.pull.found = 0;
	__syncthreads();
	const Hubs hubs{limit, k.graph.local_mask};
	u32 n = sweep_first<Form>(k.graph, k.pull, sweep, k.graph.with_second);
	n = probe_next4(k, sweep, n, hubs);
	probe_rows(k, sweep, n, hubs);
	__syncthreads();
	if (threadIdx.x == 0 && k.pull.found) atomicAdd(&k.counters(k.at.level + 1)->found, (ull)k.pull.found);
	__syncthreads();
}

template <typename Form>
__device__ __noinline__ void level_split(Context<Form> &k) {
	const u32 limit = k.state.split_hubs;
	const Sweep sweep = sweep_of(k);
	Counters *next = k.counters(k.at.level + 1);
	search_hubs(k, sweep, limit);
	number_tail(k, limit);
	grid_barrier(k);
	if (k.at.failed) return; // the queue is not numbered
	add_up(push_tail(k, limit, sweep.now), &next->found); // all have ended: blocks send words that others have changed
	if (k.at.failed) return;
	count_open_hubs(k, sweep.now);
	finish_pull(k);
}

} // namespace g500
