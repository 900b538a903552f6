// Small levels on several ranks: every rank goes through the whole frontier, and reads the rows of other ranks' vertices in
// their memory. All come to the same visited vertices and the same next frontier, so that they need not meet, and take the
// same decisions. That costs each rank all edges of the level, and none of the barriers and messages, which cost more while
// edges are few.
//
// What leaves the next frontier must be known to choose how to go on, but looking at the rows of many vertices far away
// would take longer than the level. It is guessed, from the degrees that vertices with such hub ids have in the mean.
#pragma once

#include "search/degrees.cuh"
#include "search/levels.cuh"

namespace g500 {

// The whole level: the part of the rank's own vertices is claimed, with parents, and of the others' it is known that they
// are visited. Reads 4 B column an edge, of others by way of the peers, and a sector of the bitmap.
__device__ __noinline__ void expand_whole(const Columns &g, const State &s, const World &w, const Bins &bins, TopDownShared &sh, int from, const u64 *offsets,
                                          u32 n, u64 laid, u32 *visited, Counters *level, Counters *next) {
	u64 own = 0, sixteenths = 0;
	if (threadIdx.x == 0) sh.claimed = 0;
	for (u64 e0 = (u64)blockIdx.x * kChunk; e0 < laid; e0 += (u64)gridDim.x * kChunk) {
		FrontierEdge edge[kEdgesPerThread];
		Reached reached;
		bool won[kEdgesPerThread];
		u32 to[kEdgesPerThread];
		load_edges<true>(g, w, sh, s.queue[from], offsets, n, laid, e0, min(e0 + kChunk, laid), edge);
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) to[j] = edge[j].to;
		claim(to, visited, won);
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			reached.own[j] = won[j] ? to[j] : kNone;
			own += to[j] != kNone && rank_of_position(w, edge[j].from) == w.rank;
			if (!won[j]) continue;
			const u32 hub = hub_of_position(w, to[j]);
			sixteenths += __ldg(w.degrees + degree_class(hub));
			if (rank_of_position(w, to[j]) == w.rank) give_parent(s, hub, label_at(w, edge[j].from, hub), false);
		}
		push<false>(w, bins, sh, reached, s.queue[from ^ 1], &next->queued, 0, nullptr);
	}
	add_up(sixteenths, &next->queued_edges);
	add_up(own, &level->own_edges);
}

// Lists this rank's vertices of a frontier.
__device__ __noinline__ void keep_own(const World &w, TopDownShared &sh, const u32 *from, u32 n, u32 *to, ull *own) {
	for (u32 i0 = blockIdx.x * kThreads; i0 < n; i0 += gridDim.x * kThreads) {
		const u32 i = i0 + threadIdx.x, position = i < n ? from[i] : kNone;
		const bool keep = i < n && rank_of_position(w, position) == w.rank;
		u64 before, sum;
		BlockSum(sh.scan).ExclusiveSum((u64)keep, before, sum);
		if (threadIdx.x == 0 && sum) sh.base = atomicAdd(own, (ull)sum);
		__syncthreads();
		if (keep) to[sh.base + before] = hub_of_position(w, position);
		__syncthreads();
	}
}

// Takes this rank's part of the frontier out of the whole: the levels that follow are shared out.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::take_own_part() {
	ull *own = &counters(at.level)->own;
	keep_own(w, sh.top_down, s.queue[at.queue], at.queued, s.queue[at.queue ^ 1], own);
	await_blocks();
	alone([&] {
		at.whole = false;
		at.queue ^= 1;
		at.queued = (u32)read_now(own);
		if (at.queued == 0) at.laid = 0;
		if (is_first_thread()) counters(at.level)->queued = at.queued, counters(at.level)->laid = 0;
	});
	await_blocks();
	lay_out<false>();
}

// Decides the direction of a level whose frontier all ranks have. The edges are guessed first; those of a frontier that may
// be searched as a whole are counted.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::plan_whole() {
	alone([&] {
		const Counters *c = counters(at.level);
		at.frontier = at.queued = (u32)read_now(&c->queued);
		at.edges = (read_now(&c->queued_edges) + 15) / 16;
		at.guessed = true;
		at.unvisited -= at.frontier;
		choose();
		if (at.frontier > s.queue_limit) at.bottom_up = true;
		if (!at.bottom_up) return;
		at.whole = false;
		at.unexplored -= min(at.edges, at.unexplored);
	});
	if (at.frontier == 0 || at.bottom_up) return;
	if (at.edges <= w.whole) {
		lay_out<true>();
		alone([&] {
			at.edges = at.laid;
			at.guessed = false;
		});
	}
	alone([&] { at.unexplored -= min(at.edges, at.unexplored); });
	if (at.edges > w.whole) take_own_part();
}

template <bool kMany>
__device__ __noinline__ void Search<kMany>::level_whole(Counters *next) {
	expand_whole(g, s, w, bins, sh.top_down, at.queue, offsets(), at.queued, at.laid, visited(), counters(at.level), next);
	alone([&] { at.queue ^= 1; });
	await_blocks();
	if (!is_first_thread()) return;
	const u64 own = read_now(&counters(at.level)->own_edges);
	clock.edges_sent += own * (w.ranks - 1);
	clock.edges_received += at.laid - own;
}

} // namespace g500
