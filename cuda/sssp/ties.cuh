// SPDX-License-Identifier: Apache-2.0

// Parents of vertices at the same distance as a neighbour, because a weight is zero or vanishes in the sum.
//
// A parent that is written together with a falling distance is on no cycle, for any weights (ADR 18). Pulls and hints
// write such parents; between ranks that are not peers only nearer ones, because these ranks reach vertices in
// different orders. Other parents are found at the end: a nearer neighbour with a path of exactly the right length. A
// vertex that was reached from a neighbour at the same distance may have no such parent. It is tied, and takes a
// neighbour at the same distance whose own parents lead to a nearer vertex without another tied one. The tied vertex
// that was reached first has such a neighbour, so each round settles at least one vertex.
#pragma once

#include "sssp/relax.cuh"

namespace g500::sssp {

// Returns the parent of a vertex outside trees: its hint, if that has the vertex's distance, else its word in parent.
// The vertex's owner has both: this rank or, with peers, any rank.
template <typename Form>
__device__ inline u32 parent_of(const Context &k, u32 v) {
	const Owner<Form::kPeers> owner = owner_of<Form::kPeers>(k.ranks, v);
	const bool hinted = k.policy.has_hint(k.graph, v);
	const ull hint = hinted ? read_now(owner.its(k.state.hint) + k.policy.hint_at(k.graph, v)) : ~0ull;
	return (u32)(hint >> 32) == (k.word(v) & ~kFinal) ? (u32)hint : read_now(owner.parents(k.state) + v);
}

// Returns whether the parents of a vertex lead to a nearer one, or to the start, without a tied vertex. More steps than
// vertices would mean a cycle, which is an error. Between ranks that are not peers this holds for all vertices that are
// not tied; other ranks' tied vertices are stamped with the exchange.
template <typename Form>
__device__ inline bool leads_nearer(const Context &k, u32 v) {
	if (Form::kFar)
		return k.graph.owns(v) ? parent_of<Form>(k, v) != kTied : read_now(k.state.stamp + v) != k.at.exchange;
	const u32 start = read_now(&k.state.root_path->start), word = k.word(v) & ~kFinal;
	for (u64 steps = 0; v != start; steps++) {
		const u32 parent = parent_of<Form>(k, v);
		if (parent == kTied || steps > (u64)k.graph.non_tree * k.ranks.count) return false;
		if (parent == kUnknown || parent == kFirstEnd || (k.word(parent) & ~kFinal) < word) return true;
		v = parent;
	}
	return true;
}

constexpr u32 kEdgesPerLane = 2; // that a search for a parent loads together

// The lanes of a warp search `edges` edges of a row, from edge `first` on, for a neighbour with a path of exactly the
// right length: a nearer one or, if tied, one at the same distance; a tied vertex has none that is nearer. Returns it,
// or kNone.
template <typename Form>
__device__ inline u32 find_neighbour(const Context &k, u32 v, bool tied, u64 first = 0, u64 edges = ~0ull) {
	const Graph &g = k.graph;
	const float distance = distance_in(k.word(v));
	const u64 begin = g.rows[g.local_id(v)] + first, end = begin + min(g.rows[g.local_id(v) + 1] - begin, edges);
	for (u64 i = begin + lane_of_thread();; i += 32 * kEdgesPerLane) {
		Col c[kEdgesPerLane];
		float from[kEdgesPerLane];
#pragma unroll
		for (u32 j = 0; j < kEdgesPerLane; j++) c[j] = i + 32 * j < end ? g.cols[i + 32 * j] : Col{kNone, infinity()};
#pragma unroll
		for (u32 j = 0; j < kEdgesPerLane; j++) {
			from[j] = infinity();
			if (!(c[j].weight > distance)) from[j] = distance_in(k.word(c[j].global_id));
		}
#pragma unroll
		for (u32 j = 0; j < kEdgesPerLane; j++) {
			const bool right = from[j] + c[j].weight == distance &&
			                   (tied ? leads_nearer<Form>(k, c[j].global_id) : from[j] < distance);
			if (const u32 lanes = __ballot_sync(~0u, right)) return __shfl_sync(~0u, c[j].global_id, __ffs(lanes) - 1);
		}
		const float last = c[kEdgesPerLane - 1].weight; // rows rise by weight
		if (__any_sync(~0u, tied ? distance + last > distance : last > distance)) return kNone;
	}
}

// A warp calls act for each listed vertex with the given parent. Its lanes read entries at distant places, so that all
// warps get some. If the list was too short, all vertices are read, 32 at a time.
template <typename Form, typename Act>
__device__ inline void for_listed(const Context &k, u32 parent, Act act) {
	const u64 listed = read_now(&k.state.totals->tied);
	const bool all = listed > k.graph.non_tree;
	const u64 n = all ? k.graph.own_non_tree : listed;
	const u32 lane = lane_of_thread(), warps = gridDim.x * kWarps, warp = blockIdx.x * kWarps + threadIdx.x / 32;
	for (u64 begin = 0; begin < n; begin += 32 * warps) {
		const u64 i = begin + (all ? 32 * warp + lane : lane * warps + warp);
		const u32 v = i >= n ? kNone : all ? k.graph.base + (u32)i : __ldcg(k.state.ties + i);
		const bool meant = v != kNone && parent_of<Form>(k, v) == parent && (k.word(v) & ~kFinal) != kInfinite;
		for (u32 lanes = __ballot_sync(~0u, meant); lanes; lanes &= lanes - 1) act(__shfl_sync(~0u, v, __ffs(lanes) - 1));
	}
}

// Stores a nearer neighbour as parent of each listed vertex, except those for which defers(v) is true. Vertices without
// one become tied, and are counted.
template <typename Form, typename Defers>
__device__ __noinline__ inline void find_parents(Context &k, ull *tied, Defers defers) {
	if (is_first_thread()) k.state.trace[G500_SSSP_TIES].vertices = read_now(&k.state.totals->tied);
	for_listed<Form>(k, kUnknown, [&](u32 v) {
		if (defers(v)) return;
		const u32 nearer = find_neighbour<Form>(k, v, false);
		if (lane_of_thread() > 0) return;
		k.state.parent[v] = nearer == kNone ? kTied : nearer;
		if (nearer == kNone) atomicAdd(tied, 1);
	});
}

// A round of the tied vertices. Counts those that remain tied. A vertex may be listed twice but gets one parent,
// because another vertex may already depend on it.
template <typename Form>
__device__ __noinline__ inline void settle_tied(Context &k, ull *still_tied) {
	for_listed<Form>(k, kTied, [&](u32 v) {
		const u32 parent = find_neighbour<Form>(k, v, true);
		if (lane_of_thread() > 0) return;
		if (parent != kNone) atomicCAS(k.state.parent + v, kTied, parent);
		else atomicAdd(still_tied, 1);
	});
}

// Finds parents for the listed vertices, on one rank or with peers. A round that settles none would be an error: it
// ends the loop, and validation reports it. Rounds count a vertex as often as it is listed, the search for nearer
// parents less often, so the first round is not compared with that.
template <typename Form>
__device__ __noinline__ inline void settle_ties(Context &k) {
	if (!Form::kPeers && (k.at.failed || read_now(&k.state.totals->tied) == 0)) return;
	ull *const still_tied = k.state.totals->still_tied;
	begin_step(k, G500_SSSP_TIES);
	find_parents<Form>(k, still_tied, [](u32) { return false; });
	u64 before = ~0ull, tied = sum_at_barrier<Form>(k, still_tied);
	for (u32 round = 0; tied > 0 && tied < before && !k.at.failed; round++) {
		if (is_first_thread()) still_tied[(round + 2) % kRounds] = 0;
		settle_tied<Form>(k, still_tied + (round + 1) % kRounds);
		before = round > 0 ? tied : ~0ull;
		tied = sum_at_barrier<Form>(k, still_tied + (round + 1) % kRounds);
		if (round % kLevelsPerLook == 0) by_one_thread([&] { look_around(k); });
	}
}

} // namespace g500::sssp
