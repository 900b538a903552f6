// SPDX-License-Identifier: Apache-2.0

// The last levels of a search, after few vertices remain unvisited. Each block keeps a list of its remaining vertices
// and searches for parents of only these. The vertices found in a level are sent to all ranks one by one, and set in
// the bitmap after all blocks have searched.
#pragma once

#include "search/exchange.cuh"
#include "search/pull.cuh"
#include "search/result.cuh"

namespace g500 {

// Appends each thread's found vertex to the rank's queue and, if ranks are peers, to the pairs for each other rank.
template <typename Form>
__device__ inline void emit_found(Context<Form> &k, u32 v, bool found, ull *queued, ull *sent) {
	using Id = typename Form::Id;
	constexpr bool kSends = Form::kMany && !Form::kFar;
	const Ranks &ranks = k.ranks;
	PullShared &sh = k.pull;
	const u32 lane = lane_of_thread(), slot = append_by_warp<u32>(__ballot_sync(~0u, found), &sh.found);
	__syncthreads();
	if (threadIdx.x < 32 && sh.found) {
		for (u32 r = lane; kSends && r < ranks.count; r += 32)
			if (r != ranks.rank) k.bins.base[r] = (u32)atomicAdd(sent + r, (ull)sh.found);
		if (lane == 0) sh.base = atomicAdd(queued, (ull)sh.found);
		__syncwarp();
		if (lane == 0) sh.found = 0; // for the next round
	}
	__syncthreads();
	if (found) {
		k.queue()[sh.base + slot] = v;
		const Far &far = k.state.far;
		if (Form::kFar && sh.base + slot < far.most_entries)
			far.entries<Id>(ranks.rank)[sh.base + slot] = {(Id)(ranks.base + v), 0};
		for (u32 r = 0; kSends && r < ranks.count; r++)
			if (r != ranks.rank) send_buffer(ranks, r, k.at.rounds)[k.bins.base[r] + slot] = ranks.base + v;
	}
	__syncthreads();
}

// Returns the number of a vertex's label among the rank's owned labels.
template <typename Form>
__device__ inline u32 owned_label(const Context<Form> &k, u32 v) {
	const u32 label = __ldg(k.graph.labels + v);
	return Form::kLabels64 ? label : label / k.ranks.count;
}

// Searches for parents of the vertices in the block's list, which may have gaps. Found vertices leave the list, and are
// written to the result if it is already being written. Reads 4 B of neighbour and a sector of the bitmap per edge up
// to the first hit. Returns the length of the list.
template <typename Form>
__device__ __noinline__ u32 search_remaining(Context<Form> &k, ull *sent) {
	const Graph &g = k.graph;
	const State &s = k.state;
	const u32 *old = k.visited();
	u32 *list = k.at.remaining;
	Counters *next = k.counters(k.at.level + 1);
	u64 edges = 0;
	if (threadIdx.x == 0) k.pull.found = 0;
	const u32 n = close_gaps(k.pull, list, k.at.remaining_count, [list](u32 i) { return list[i]; });
	for (u32 i0 = 0; i0 < n; i0 += kThreads) {
		const u32 i = i0 + threadIdx.x, v = i < n ? list[i] : kNone;
		const auto parent = probe_row<Form>(g, old, v, 0, AllNeighbours{});
		const bool found = !is_none(parent);
		if (found) {
			const auto label = label_of_parent(k, parent, v);
			store_parent<Form>(s, v, label);
			if (k.at.overlapping) store_result(s, owned_label(k, v), label);
			list[i] = kNone;
			edges += g.rows[v + 1] - g.rows[v];
		}
		emit_found(k, v, found, &next->queued, sent);
	}
	add_up(edges, &next->queued_edges);
	return n;
}

// Sets the rank's queued vertices in the bitmap.
template <typename Form>
__device__ void set_queued(Context<Form> &k, u32 queued) {
	const u32 thread = k.at.place * kThreads + threadIdx.x, threads = k.at.blocks * kThreads;
	u32 *own = k.own_part(k.visited());
	for (u32 i = thread; i < queued; i += threads) set(own, k.queue()[i]);
}

// Sets the found vertices of all ranks in the bitmap: this rank's from the queue, other ranks' from the received pairs.
template <typename Form>
__device__ __noinline__ void take_found(Context<Form> &k, u32 queued) {
	const u32 thread = k.at.place * kThreads + threadIdx.x, threads = k.at.blocks * kThreads;
	using Id = typename Form::Id;
	u32 *visited = k.visited();
	set_queued(k, queued);
	for (u32 i = thread; Form::kMany && i < k.bins.upto[k.ranks.count - 1]; i += threads)
		set(visited, (Id)PairAt(k.ranks, k.bins, k.at.rounds, i).pair);
}

// All blocks of all ranks have searched when the barrier ends; only then may the bitmap change.
template <typename Form>
__device__ __noinline__ void level_pull_remaining(Context<Form> &k) {
	Counters *next = k.counters(k.at.level + 1);
	ull *sent = Form::kMany ? open_round(k) : nullptr;
	const u32 n = search_remaining(k, sent);
	by_one_thread([&] { k.at.remaining_count = n; });
	if (Form::kMany) rank_barrier(k, {{&next->queued, &next->queued_edges, sent}});
	else grid_barrier(k);
	if (k.at.failed) return;
	const u64 began = now_ns();
	if (Form::kMany) close_round(k);
	take_found(k, (u32)read_now(&next->queued));
	grid_barrier(k);
	if (Form::kMany) count_exchange(k, began);
}

} // namespace g500
