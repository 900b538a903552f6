// SPDX-License-Identifier: Apache-2.0

// Between two levels: counting the frontier, choosing the next step, and preparing it.
#pragma once

#include "search/push_replicated.cuh"

namespace g500 {

// Sends the bits of visited vertices to all ranks, before the first bottom-up level and before leaves read
// the bits of other ranks' vertices.
template <typename Form>
__device__ __noinline__ void synchronize_visited(Context<Form> &k) {
	Counters *c = k.counters(k.at.level);
	add_up(send_visited(k), &c->words);
	rank_barrier(k, {{nullptr, nullptr, nullptr, &c->words}});
	count_words(k);
}

// After a top-down level on one rank. Numbering the queue's edges counts them.
template <typename Form>
__device__ __noinline__ void plan_after_push_one_rank(Context<Form> &k) {
	by_one_thread([&] {
		Progress &at = k.at;
		at.frontier = at.queued = (u32)read_now(&k.counters(at.level)->queued);
		at.edges = 0;
		at.unvisited -= at.frontier;
		at.step = at.frontier > k.state.queue_limit ? kPull : kPush;
	});
	if (k.at.frontier == 0 || k.at.step == kPull) return;
	number_queue<false>(k);
	by_one_thread([&] {
		k.at.edges = k.at.queued_edges;
		k.at.explore(k.at.edges);
		k.at.step = step_after_push(k.facts());
	});
}

// After a top-down level on several ranks. Edges were counted as the queue was filled, and published at the last
// barrier. The root's edges are published during the first level.
template <typename Form>
__device__ __noinline__ void plan_after_push_many_ranks(Context<Form> &k) {
	by_one_thread([&] {
		Progress &at = k.at;
		at.queued = (u32)read_now(&k.counters(at.level)->queued);
		at.reached += at.queued;
		at.frontier = at.level ? k.sums.of[kVertices] : 1;
		at.edges = at.level ? k.sums.of[kEdges] : 0;
		at.explore(at.edges);
		at.unvisited -= at.frontier;
		at.step = step_after_divided_push(k.facts());
	});
	if (k.at.frontier == 0 || leads_nowhere(k.at)) return;
	if (k.at.step != kPull) number_queue<false>(k);
	else if (!k.at.synchronized) synchronize_visited(k);
}

template <typename Form>
__device__ void plan_after_push(Context<Form> &k) {
	if constexpr (Form::kMany) plan_after_push_many_ranks(k);
	else plan_after_push_one_rank(k);
}

// Lists the vertices that the last sweep found, for a top-down level.
__device__ __noinline__ inline void list_frontier(AdvanceShared &sh, u32 words, const u32 *visited, const u32 *before,
                                                  u32 *queue, ull *queued) {
	for (u32 i0 = blockIdx.x * kThreads; i0 < words; i0 += gridDim.x * kThreads) {
		const u32 i = i0 + threadIdx.x;
		u32 fresh = i < words ? visited[i] & ~before[i] : 0;
		u64 at, sum;
		block_scan(sh.scan, __popc(fresh), at, sum);
		if (threadIdx.x == 0 && sum) sh.base = atomicAdd(queued, (ull)sum);
		__syncthreads();
		for (at += sh.base; fresh; fresh &= fresh - 1) queue[at++] = vertex_at(i, __ffs(fresh) - 1);
		__syncthreads();
	}
}

template <typename Form>
__device__ __noinline__ void plan_after_sweep(Context<Form> &k) {
	ull *queued = &k.counters(k.at.level)->queued;
	by_one_thread([&] {
		k.at.frontier = Form::kMany ? k.sums.of[kVertices] : read_now(&k.counters(k.at.level)->found);
		k.at.edges = 0;
		k.at.unvisited -= k.at.frontier;
		k.at.step = step_after_sweep(k.facts());
	});
	if (k.at.frontier == 0 || is_bottom_up(k.at.step)) return;
	u32 *visited = k.own_part(k.visited()), *before = k.own_part(k.other_visited());
	list_frontier(k.push.advance, k.graph.padded / 32, visited, before, k.queue(), queued);
	grid_barrier(k);
	if (k.at.failed) return;
	by_one_thread([&] { k.at.queued = (u32)read_now(queued); });
	number_queue<false>(k);
	if (!Form::kMany) by_one_thread([&] { k.at.edges = k.at.queued_edges; }); // else published later
}

// After a level for remaining vertices; all later levels are of this kind.
template <typename Form>
__device__ void plan_remaining(Context<Form> &k) {
	by_one_thread([&] {
		const Counters *c = k.counters(k.at.level);
		k.at.frontier = Form::kMany ? k.sums.of[kVertices] : read_now(&c->queued);
		k.at.edges = Form::kMany ? k.sums.of[kEdges] : read_now(&c->queued_edges);
		k.at.unvisited -= k.at.frontier;
	});
}

} // namespace g500
