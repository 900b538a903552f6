// The start of a search: clears the state of the last one, and puts the first vertex outside trees into the frontier.
#pragma once

#include "sssp/trees.cuh"

namespace g500::sssp {

// Fills an array with a word, 16 bytes per thread at a time. Arrays are allocated in units of 16 bytes.
__device__ inline void fill(u32 *array, u64 n, u32 word) {
	const uint4 four = make_uint4(word, word, word, word);
	for (u64 i = thread_number<kThreads>(); i < (n + 3) / 4; i += (u64)gridDim.x * kThreads)
		((uint4 *)array)[i] = four;
}

// Clears the state of the last search. Parents of unreached vertices are not cleared, because they are never read.
__device__ inline void clear(Context &k) {
	const State &s = k.state;
	const u64 ranks = k.ranks.count;
	for (u64 r = 0; r < ranks; r++) fill(s.distance + (r << k.graph.shift), k.graph.inner, kInfinite);
	fill((u32 *)s.hint, 2 * (k.policy.hint_part ? ranks : 1) * k.policy.hinted, ~0u);
	if (!is_first_thread()) return;
	for (int i = 0; i < kRounds; i++) reset_round(k, i);
	*s.totals = {};
	for (int i = 0; i < G500_SSSP_STEPS; i++) s.trace[i] = {};
}

// Sets a block's initial progress in a kernel.
__device__ inline void enter(Context &k, u32 step, u32 queued, float nearest) {
	by_one_thread([&] {
		const volatile Epochs *epochs = k.state.epochs;
		k.at = {step, gridDim.x, epochs->arrivals, epochs->rounds, epochs->barriers, 0, queued, 0, nearest, 0, now_ns(),
		        false};
	});
}

// Stores the distances along the root path, and puts the first vertex outside trees, if any, into its rank's frontier.
__device__ inline void start_on_root_path(Context &k) {
	const State &s = k.state;
	const RootPath &root_path = *s.root_path;
	if (is_first_thread()) {
		for (u32 i = 0; i < root_path.length; i++) {
			const u32 v = root_path.entries[i].vertex, distance = __float_as_uint(root_path.entries[i].distance);
			if (!k.graph.is_leaf(v)) s.distance[v] = distance;
		}
		if (root_path.start != kNone) {
			s.distance[root_path.start] = __float_as_uint(root_path.distance);
			s.parent[root_path.start] = root_path.parent;
			k.frontier(k.at.rounds)[0] = root_path.start;
			k.counters(k.at.rounds)->queued = k.graph.owns(root_path.start);
		}
	}
	by_one_thread([&] {
		const u32 first = *(volatile u32 *)&s.root_path->start;
		k.at.queued = first != kNone && k.graph.owns(first);
		k.at.all_queued = first != kNone;
		if (first != kNone && k.graph.local_id(first) < k.policy.landmarks)
			k.at.nearest = *(volatile float *)&s.root_path->distance;
	});
	grid_barrier(k);
	record(k, G500_SSSP_START);
}

} // namespace g500::sssp
