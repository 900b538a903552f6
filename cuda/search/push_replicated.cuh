// SPDX-License-Identifier: Apache-2.0

// Small levels on several peers: every rank processes the whole frontier and reads the rows of other ranks' vertices in
// their memory. All ranks compute the same visited vertices and the same next frontier, so they choose the same steps
// without a barrier. Each rank processes all edges of the level, but saves barriers and messages, which cost more while
// edges are few (ADR 12).
#pragma once

#include "search/push.cuh"

namespace g500 {

// Reads 4 B of neighbour per edge, from peers for their vertices, and a sector of the bitmap.
template <typename Form>
__device__ __noinline__ void level_push_replicated(Context<Form> &k) {
	Counters *c = k.counters(k.at.level), *next = k.counters(k.at.level + 1);
	using Rows = RowsOf<true, Form>;
	ByBlock<Rows> advance(Rows{k.graph, k.ranks}, k.push.advance, k.edge_queue());
	ClaimReplicated<Form> visit{k.state, k.ranks, k.visited()};
	push(advance, visit, VertexQueue<false>(k.push.emit, k.next_queue(), &next->queued, k.sender(nullptr, nullptr)));
	add_up(visit.sixteenths, &next->queued_edges);
	add_up(visit.own, &c->own_edges);
	by_one_thread([&] { k.at.queue ^= 1; });
	grid_barrier(k);
	count_rows_read(k, c);
}

// Lists this rank's vertices of a replicated frontier, by local id, and counts them in *listed.
template <typename Form>
__device__ __noinline__ void filter_own(const Context<Form> &k, AdvanceShared &sh, ull *listed) {
	const Ranks &ranks = k.ranks;
	const u32 *const from = k.queue();
	for (u32 i0 = blockIdx.x * kThreads; i0 < k.at.queued; i0 += gridDim.x * kThreads) {
		const u32 i = i0 + threadIdx.x;
		const u32 global_id = i < k.at.queued ? from[i] : 0;
		const bool own = i < k.at.queued && rank_of_id(ranks, global_id) == ranks.rank;
		u64 before, sum;
		block_scan(sh.scan, (u64)own, before, sum);
		if (threadIdx.x == 0 && sum) sh.base = atomicAdd(listed, (ull)sum);
		__syncthreads();
		if (own) k.next_queue()[sh.base + before] = local_id_in(ranks, global_id);
		__syncthreads();
	}
}

// Replaces the replicated frontier by this rank's part: in later levels each rank processes its own vertices.
template <typename Form>
__device__ __noinline__ void divide_frontier(Context<Form> &k) {
	Counters *c = k.counters(k.at.level);
	filter_own(k, k.push.advance, &c->own);
	grid_barrier(k);
	if (k.at.failed) return;
	by_one_thread([&] {
		k.at.queue ^= 1;
		k.at.queued = (u32)read_now(&c->own);
		if (k.at.queued == 0) k.at.queued_edges = 0;
		if (is_first_thread()) c->queued = k.at.queued, c->numbered = 0;
	});
	grid_barrier(k);
	number_queue<false>(k);
}

// Plans a level whose frontier all ranks have. Reading the degrees of many remote vertices would take longer than the
// level, so its edges are first estimated from the mean degrees of degree classes. The edges of a frontier that is
// pushed by each rank are counted.
template <typename Form>
__device__ __noinline__ void plan_replicated(Context<Form> &k) {
	by_one_thread([&] {
		Progress &at = k.at;
		const Counters *c = k.counters(at.level);
		at.frontier = at.queued = (u32)read_now(&c->queued);
		at.edges = (read_now(&c->queued_edges) + 15) / 16;
		at.estimated = true;
		at.unvisited -= at.frontier;
		at.step = at.frontier > k.state.queue_limit ? kPull : step_after_push(k.facts());
		if (at.step == kPush && at.edges <= k.ranks.replicated_edges) at.step = kPushReplicated;
	});
	if (k.at.frontier == 0) return;
	if (k.at.step == kPushReplicated) {
		number_queue<true>(k);
		by_one_thread([&] {
			k.at.edges = k.at.queued_edges;
			k.at.estimated = false;
			// the estimate may have been too low
			if (k.at.edges > k.ranks.replicated_edges) k.at.step = kPush;
		});
	}
	by_one_thread([&] { k.at.explore(k.at.edges); });
	if (k.at.step == kPush) divide_frontier(k);
}

} // namespace g500
