// The last levels of a search, when hardly a vertex is left unvisited: each block keeps a list of these residual
// vertices among its own, and looks for the parents of none but them. What a level finds is sent to all ranks vertex
// by vertex, and put into the bitmap in its place once all have looked.
#pragma once

#include "search/exchange_pairs.cuh"
#include "search/pull.cuh"
#include "search/result.cuh"

namespace g500 {

// Adds each thread's found vertex to the rank's queue and, on several ranks, to what is sent to each of the others.
template <typename Form>
__device__ inline void emit_found(Context<Form> &k, u32 v, bool found, ull *queued, ull *sent) {
	const Ranks &ranks = k.ranks;
	PullShared &sh = k.pull;
	const u32 lane = lane_of_thread(), slot = append_by_warp<u32>(__ballot_sync(~0u, found), &sh.found);
	__syncthreads();
	if (threadIdx.x < 32 && sh.found) {
		for (u32 r = lane; Form::kMany && r < ranks.count; r += 32)
			if (r != ranks.rank) k.bins.base[r] = atomicAdd(sent + r, (ull)sh.found);
		if (lane == 0) sh.base = atomicAdd(queued, (ull)sh.found);
		__syncwarp();
		if (lane == 0) sh.found = 0; // for the next round
	}
	__syncthreads();
	if (found) {
		k.queue()[sh.base + slot] = v;
		for (u32 r = 0; Form::kMany && r < ranks.count; r++)
			if (r != ranks.rank) send_buffer(ranks, r, k.at.rounds)[k.bins.base[r] + slot] = ranks.base + v;
	}
	__syncthreads();
}

// The number of a vertex's label among those that this rank owns.
template <typename Form>
__device__ inline u32 owned_label(const Context<Form> &k, u32 v) {
	const u32 label = __ldg(k.graph.labels + v);
	return Form::kIds64 ? label : label / k.ranks.count;
}

// Looks for the parents of the vertices in the block's list, which may have gaps; those that are found leave it. Where
// the relabelling has begun, they are put into the result, too. Reads 4 B columns until the first hit, all of them in
// vain, and a sector of the bitmap for each. Returns the list's length.
template <typename Form>
__device__ __noinline__ u32 search_remaining(Context<Form> &k, ull *sent) {
	const Graph &g = k.graph;
	const State &s = k.state;
	const u32 *old = k.visited();
	u32 *list = k.at.remaining;
	Counters *next = k.counters(k.at.level + 1);
	u64 edges = 0;
	if (threadIdx.x == 0) k.pull.found = 0;
	const u32 n = close_gaps(k.pull, list, k.at.remaining_count, [](u32 i) { return i; });
	for (u32 i0 = 0; i0 < n; i0 += kThreads) {
		const u32 i = i0 + threadIdx.x, v = i < n ? list[i] : kNone;
		const u64 begin = v != kNone ? g.rows[v] : 0, end = v != kNone ? g.rows[v + 1] : 0;
		const auto parent = probe_row(neighbours<Form>(g), old, begin, end);
		const bool found = !is_none(parent);
		if (found) {
			const auto label = label_of_parent(k, parent, v);
			store_parent<Form>(s, v, label);
			if (k.at.overlapping) store_result(s, owned_label(k, v), label);
			list[i] = kNone;
			edges += end - begin;
		}
		emit_found(k, v, found, &next->queued, sent);
	}
	add_up(edges, &next->queued_edges);
	return n;
}

// Puts what all ranks have found into the bitmap: this rank's vertices from the queue, the others' as they have come.
template <typename Form>
__device__ __noinline__ void take_found(Context<Form> &k, u32 queued) {
	const u32 thread = k.at.place * kThreads + threadIdx.x, threads = k.at.blocks * kThreads;
	using Id = typename Form::Id;
	const Id base = Form::kMany ? (Id)k.ranks.base : 0;
	u32 *visited = k.visited();
	for (u32 i = thread; i < queued; i += threads) set(visited, base + k.queue()[i]);
	for (u32 i = thread; Form::kMany && i < k.bins.upto[k.ranks.count - 1]; i += threads)
		set(visited, (Id)PairAt(k.ranks, k.bins, k.at.rounds, i).pair);
}

// All ranks have looked when the barrier ends, so that the bitmap may change then.
template <typename Form>
__device__ __noinline__ void level_pull_remaining(Context<Form> &k) {
	Counters *next = k.counters(k.at.level + 1);
	query_remaining(k);
	ull *sent = Form::kMany ? open_round(k) : nullptr;
	const u32 n = search_remaining(k, sent);
	alone([&] { k.at.remaining_count = n; });
	if (Form::kMany) rank_barrier(k, {{&next->queued, &next->queued_edges, sent}});
	else grid_barrier(k);
	if (k.at.failed) return;
	const u64 began = now_ns();
	if (Form::kMany) close_round(k, sent);
	take_found(k, (u32)read_now(&next->queued));
	grid_barrier(k);
	if (Form::kMany) count_exchange(k, began);
}

} // namespace g500
