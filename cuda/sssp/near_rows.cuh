// SPDX-License-Identifier: Apache-2.0

// Between ranks that are not peers, with light edges on all of them: after the last round of the first push vertices
// nearer than the nearest landmark push their complete rows. The ends are seeds of the push over light edges.
#pragma once

#include "sssp/context.cuh"
#include "sssp/offers.cuh"
#include "sssp/ties.cuh"

namespace g500::sssp {

// Rows of listed vertices between ranks that are not peers: all warps process the long ones, in parts.

// Lists the parts of a vertex's row, if it has several and the list has space. Returns whether it is listed. Called by
// a warp.
__device__ inline bool list_parts(const Context &k, u32 v) {
	const WordList &list = k.state.list;
	const u32 local_id = k.graph.local_id(v), lane = lane_of_thread();
	const u64 parts = (k.graph.rows[local_id + 1] - k.graph.rows[local_id] + k.policy.part - 1) / k.policy.part;
	if (parts <= 1) return false;
	const u64 at = __shfl_sync(~0u, lane == 0 ? (u64)atomicAdd(list.count, (ull)parts) : 0, 0);
	for (u64 i = lane; i < parts && at + i < list.space; i += 32) list.at[at + i] = make_uint2(local_id, (u32)i);
	return at + parts <= list.space;
}

// After all parts are listed, warps call act(vertex, first edge of a part) for these. The list may be used again
// afterwards.
template <typename Act>
__device__ inline void for_parts(Context &k, Act act) {
	grid_barrier(k);
	const u64 parts = min((u64)read_now(k.state.list.count), k.state.list.space);
	for (u64 i = warp_number<kThreads>(); i < parts; i += gridDim.x * kWarps) {
		const uint2 part = __ldcg(k.state.list.at + i);
		act(k.graph.base + part.x, (u64)part.y * k.policy.part);
	}
	grid_barrier(k);
}

// Parents of tied vertices (ties.cuh) between ranks that are not peers.

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

// Calls act(local id, word) for this rank's vertices, in all lanes. A lane reads kQuads x 4 words at a time.
template <typename Act>
__device__ inline void for_own_words(const Context &k, Act act) {
	constexpr u32 kQuads = 4;
	const u32 quads = (k.graph.own_non_tree + 3) / 4, threads = gridDim.x * kThreads;
	const u32 warp = thread_number<kThreads>() / 32 * 32, lane = lane_of_thread();
	const uint4 *const own = (const uint4 *)(k.state.distance + k.graph.base);
	for (u32 begin = warp; begin < quads; begin += kQuads * threads) {
		uint4 words[kQuads];
#pragma unroll
		for (u32 q = 0; q < kQuads; q++) {
			const u32 i = begin + q * threads + lane;
			words[q] = i < quads ? __ldcg(own + i) : make_uint4(kInfinite, kInfinite, kInfinite, kInfinite);
		}
#pragma unroll
		for (u32 q = 0; q < kQuads; q++) {
			const u32 i = 4 * (begin + q * threads + lane);
			act(i, words[q].x);
			act(i + 1, words[q].y);
			act(i + 2, words[q].z);
			act(i + 3, words[q].w);
		}
	}
}

// Withdraws offers of vertices that are not nearer than the nearest landmark: complete rows will lead to these again,
// if they are on shortest paths.
__device__ __noinline__ inline void withdraw_offers(Context &k, const Far &far) {
	const State &s = k.state;
	const u32 threads = gridDim.x * kThreads, first = thread_number<kThreads>();
	const u32 offered = (u32)read_now(&s.totals->remote), nearest = __float_as_uint(k.at.nearest);
	u32 *const near = (u32 *)far.received;
	for (u32 i = first; i < (offered + 31) / 32 * 32; i += threads) {
		const u32 v = i < offered ? s.remote[i] : kNone;
		const bool is_near = v != kNone && k.word(v) < nearest;
		if (v != kNone && !is_near) {
			s.distance[v] = kInfinite;
			if (k.policy.has_hint(k.graph, v)) s.hint[k.policy.hint_at(k.graph, v)] = ~0ull;
		}
		enqueue(is_near ? v : kNone, near, far.list.count);
	}
	grid_barrier(k);
	const u32 left = (u32)read_now(far.list.count);
	for (u32 i = first; i < left; i += threads) s.remote[i] = near[i];
	if (is_first_thread()) s.totals->remote = left;
	grid_barrier(k);
}

// Pushes `edges` edges of a vertex, from edge `first` on. Appends their ends to the offers. Called by a warp.
__device__ __noinline__ inline void push_edges(const Context &k, u32 v, u64 first, u64 edges) {
	const Graph &g = k.graph;
	RelaxEdges<FarRanks> visit{g, k.state, k.policy, k.ranks, {}, false, k.at.exchange};
	const float distance = distance_in(k.word(v));
	const u64 begin = g.rows[g.local_id(v)] + first, end = begin + min(g.rows[g.local_id(v) + 1] - begin, edges);
	for (u64 i = begin; i < end; i += 32) {
		u32 to = kNone;
		if (i + lane_of_thread() < end) {
			const Col c = g.cols[i + lane_of_thread()];
			const float path = distance + c.weight;
			if (path < infinity() && visit.relax(c.global_id, v, path, path == distance)) to = c.global_id;
		}
		enqueue(to, k.state.remote, &k.state.totals->remote);
	}
}

// Pushes the complete rows of this rank's vertices nearer than the nearest landmark. Offers the ends, and this rank's
// vertices within the window, to all ranks: these have the seeds of the push over light edges.
__device__ __noinline__ inline void push_near_rows(Context &k, const Far &far) {
	const u32 nearest = __float_as_uint(k.at.nearest), threshold = __float_as_uint(k.at.nearest + far.window);
	for_own_words(k, [&](u32 local_id, u32 word) {
		const u32 v = k.graph.base + local_id;
		const bool is_there = local_id < k.graph.own_non_tree;
		const bool is_seed = is_there && word < threshold;
		const bool offers = is_seed && stamps(Owner<false>{k.ranks, k.ranks.rank}, k.state.stamp + v, k.at.exchange);
		enqueue(offers ? v : kNone, k.state.remote, &k.state.totals->remote);
		for (u32 lanes = __ballot_sync(~0u, is_there && word < nearest); lanes; lanes &= lanes - 1) {
			const u32 near = __shfl_sync(~0u, v, __ffs(lanes) - 1);
			if (!list_parts(k, near)) push_edges(k, near, 0, ~0ull);
		}
	});
	for_parts(k, [&](u32 v, u64 first) { push_edges(k, v, first, k.policy.part); });
}

// Puts the vertices that any rank has offered and that are within the window into the frontier. Reports have these
// bytes, and at most `most` offers.
__device__ __noinline__ inline void take_offered_seeds(Context &k, const Far &far, u64 bytes, u64 most) {
	const Reach reach{k.at.nearest, k.threshold()};
	RelaxEdges<FarRanks> visit{k.graph, k.state, k.policy, k.ranks, reach, false, 0};
	const u64 count = most * k.ranks.count;
	for (u64 i = thread_number<kThreads>(); i < (count + 31) / 32 * 32; i += gridDim.x * kThreads) {
		const u32 r = i < count ? (u32)(i / most) : 0;
		const u64 j = i < count ? i % most : most;
		u32 seed = kNone;
		if (j < far.report(r, bytes).sums[kListed]) {
			const Offer offer = far.offers(r, bytes)[j];
			if (visit.take_seed(offer.vertex, offer.parent, __uint_as_float(offer.bits), k.at.rounds)) seed = offer.vertex;
		}
		enqueue(seed, k.frontier(k.at.rounds), &k.counters(k.at.rounds)->queued);
	}
	grid_barrier(k);
}

} // namespace g500::sssp
