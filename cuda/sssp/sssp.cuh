// Shortest paths from one root: the kernel, one cooperative launch. Ideas: delta-stepping (Meyer and Sanders,
// J. Algorithms 2003), pulling along heavy edges and leaving out edges that cannot help (Chakaravarthy et al., IPDPS
// 2014).
//
//  1. Push along rows, which rise by weight, until all vertices within a window of the nearest landmark are settled.
//  2. All others pull, class by class, and stop where no path can be shorter.
//  3. Those whose path may still become shorter pull again.
//  4. What has changed then is pushed on, until nothing changes.
//  5. Ties between parents; vertices in trees.
#pragma once

#include <new>

#include "sssp/pull.cuh"
#include "sssp/push.cuh"
#include "sssp/result.cuh"
#include "sssp/ties.cuh"
#include "sssp/trees.cuh"

namespace g500::sssp {

// Fills an array with a word: 16 bytes a thread at a time. Arrays are allocated in whole 16 bytes.
__device__ inline void fill(u32 *array, u64 n, u32 word) {
	const uint4 four = make_uint4(word, word, word, word);
	for (u64 i = (u64)blockIdx.x * kThreads + threadIdx.x; i < (n + 3) / 4; i += (u64)gridDim.x * kThreads)
		((uint4 *)array)[i] = four;
}

// Forgets the last search.
__device__ inline void clear(Context &k, u32 root) {
	const State &s = k.state;
	fill(s.distance, k.graph.hubs, kInfinite);
	fill(s.parent, k.graph.core, kUnknown);
	fill((u32 *)s.hint, 2 * (u64)min(k.policy.hinted, k.graph.core), ~0u);
	if (!is_first_thread()) return;
	for (int i = 0; i < kRounds; i++) s.counters[i] = {0, 0, kInfinite};
	*s.totals = {};
	for (int i = 0; i < G500_SSSP_STEPS; i++) s.trace[i] = {};
	find_way(k.graph, root == kNone ? kNone : k.graph.hub_of[root], *s.way);
}

// Clears the state and puts the first vertex of the core, if there is one, into the frontier.
__device__ __noinline__ void start(Context &k, u32 root) {
	const State &s = k.state;
	alone([&] {
		const volatile Epochs *epochs = s.epochs;
		k.at = {gridDim.x, epochs->arrivals, epochs->rounds, 0, infinity(), now_ns()};
	});
	clear(k, root);
	grid_barrier(k);
	const Way &way = *s.way;
	if (is_first_thread()) {
		for (u32 i = 0; i < way.length; i++) s.distance[way.entries[i].vertex] = __float_as_uint(way.entries[i].distance);
		if (way.start != kNone) {
			s.distance[way.start] = __float_as_uint(way.distance);
			s.parent[way.start] = way.parent;
			s.frontier[0] = way.start;
		}
	}
	alone([&] {
		const u32 first = *(volatile u32 *)&s.way->start;
		k.at.queued = first != kNone;
		if (first < k.policy.landmarks) k.at.nearest = *(volatile float *)&s.way->distance;
	});
	grid_barrier(k);
	record(k, G500_SSSP_START);
}

__global__ void __launch_bounds__(kThreads, kBlocks)
search_kernel(const __grid_constant__ Graph graph, const __grid_constant__ State state,
              const __grid_constant__ Ranks ranks, const __grid_constant__ Policy policy, u32 root) {
	G500_SHARED_MEMORY(memory);
	Context &k = *reinterpret_cast<Context *>(memory);
	if (threadIdx.x == 0) new (&k) Context(graph, state, ranks, policy);
	__syncthreads();
	start(k, root);
	push_window(k);
	record(k, G500_SSSP_PUSH);
	if (k.at.nearest < infinity()) { // else all that can be reached has been pushed
		pull_beyond(k);
		push_rest(k);
		record(k, G500_SSSP_PUSH_REST);
	}
	settle_ties(k);
	record(k, G500_SSSP_TIES);
	reach_trees(k);
	record(k, G500_SSSP_TREES);
	if (!is_first_thread()) return;
	state.epochs->arrivals = k.at.arrivals;
	state.epochs->rounds = k.at.rounds + 2; // no stamp of this search is one of the next
	state.trace[G500_SSSP_RESULT].nanoseconds = k.at.began;
}

} // namespace g500::sssp
