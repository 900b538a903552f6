// SPDX-License-Identifier: Apache-2.0

// Breadth-first search: the kernel, which processes all levels of a search in one cooperative launch per rank.
//
// Proof that it ends: each level except the last visits at least one new vertex, so there are at most as many levels as
// vertices. A level has another round of pairs only if a buffer was full in the one before. That round sent pairs for
// claims that are not made again. All other loops iterate over arrays. The emulator's tests
// compare the number of rounds with its bound. Every wait has a time limit (barriers.cuh).
#pragma once

#include <new>

#include "search/overlap.cuh"
#include "search/plan.cuh"
#include "search/pull.cuh"
#include "search/pull_remaining.cuh"
#include "search/push.cuh"
#include "search/push_replicated.cuh"
#include "search/push_segments.cuh"
#include "search/split.cuh"

namespace g500 {

// Returns the global id of a label, or none if the vertex has no edge. If ranks do not read each other's graphs, only
// the label's owner knows it.
template <typename Form>
__device__ typename Form::Id global_id_of(const Context<Form> &k, typename Form::Label root) {
	using Id = typename Form::Id;
	const Ranks &ranks = k.ranks;
	if constexpr (!Form::kMany) return k.graph.local_ids[root];
	const u32 rank = Form::kLabels64 ? (u32)((u64)root >> 32) : root % ranks.count;
	const u32 number = Form::kLabels64 ? (u32)root : root / ranks.count;
	if (rank != ranks.rank && !ranks.graphs) return kNoId<Id>;
	const u32 local_id = (rank == ranks.rank ? k.graph.local_ids : ranks.graphs[rank].local_ids)[number];
	if (local_id == kNone) return kNoId<Id>;
	if constexpr (Form::kIds64) return ranks.parts64.id(rank, local_id);
	else return rank << ranks.shift | local_id;
}

// Returns whether the first neighbour in a row is a leaf.
__device__ inline bool first_neighbour_is_leaf(const Graph &g, const u32 *row) {
	return (__ldg(row) & g.local_mask) >= g.first_leaf;
}
template <typename Ids>
__device__ inline bool first_neighbour_is_leaf(const Graph &g, const PackedNeighbours<Ids> &row) {
	return first_neighbour_is_leaf(g, row.words());
}
template <typename Neighbours>
__device__ inline bool first_neighbour_is_leaf(const Graph &g, const Neighbours &row) {
	return __ldg(row.local_ids) >= g.first_leaf;
}

// Numbers the edges of the root, by one thread of each block. A root in a replicated frontier may have its row in a
// peer's memory. The edge between two leaves is not part of a search.
template <typename Form>
__device__ void number_root(Context<Form> &k) {
	using Id = typename Form::Id;
	const Id root = (Id)k.at.root;
	k.at.offsets = k.push.advance.offsets;
	k.push.advance.offsets[0] = 0;
	if (is_none(root)) return;
	auto row = RowsOf<false, Form>{k.graph, k.ranks}.row(k.graph.local_id(root));
	if constexpr (Form::kReplicates)
		if (k.at.step == kPushReplicated) row = RowsOf<true, Form>{k.graph, k.ranks}.row(root);
	k.at.queued_edges = row.n == 1 && first_neighbour_is_leaf(k.graph, row.cols) ? 0 : row.n;
}

// Returns a block's initial progress.
template <typename Form>
__device__ Progress first_progress(const Context<Form> &k) {
	const State &s = k.state;
	Progress at{};
	at.step = kPush;
	at.blocks = gridDim.x;
	at.place = blockIdx.x;
	at.remaining = missed_lists(k.graph, s);
	at.arrivals = *(volatile u32 *)&s.epochs->arrivals;
	at.unexplored = Form::kMany ? k.ranks.edges : k.graph.non_leaf_edges;
	at.unvisited = k.non_leaf() + 1; // the root may be a leaf
	if (!Form::kMany) return at;
	if (k.ranks.graphs) at.step = kPushReplicated;
	at.synchronized = k.ranks.graphs != nullptr;
	at.barriers = *(volatile u32 *)&s.epochs->barriers;
	at.rounds = *(volatile u32 *)&s.epochs->rounds;
	at.current = *(volatile u32 *)&s.epochs->current;
	return at;
}

// Clears the bits of deferred labels of the last search, and the counters of pairs.
template <typename Form>
__device__ void clear_exchange(Context<Form> &k, u32 thread, u32 threads) {
	const Ranks &ranks = k.ranks;
	for (u32 i = thread; Form::kFar && i < k.graph.padded / 32; i += threads) ranks.deferred[i] = 0;
	for (u32 i = thread; i < 2 * (ranks.count + 1); i += threads) ranks.sent[i] = 0;
}

// Clears the state and puts the root, a label, into the frontier of its rank, or of all ranks if the frontier is
// replicated. The frontier is empty if the root has no edge. A leaf is not in the visited bitmap.
template <typename Form>
__device__ __noinline__ void start(Context<Form> &k) {
	using Id = typename Form::Id;
	const auto root = (typename Form::Label)k.root;
	const State &s = k.state;
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	const uint4 zero = make_uint4(0, 0, 0, 0);
	begin_trace(k);
	by_one_thread([&] { k.at = first_progress(k); });
	if (threadIdx.x == 0) k.at.root = global_id_of(k, root);
	const u32 groups = Form::kMany ? k.ranks.groups : k.graph.padded / kGroup;
	for (u32 r = 0; r < (Form::kMany ? k.ranks.count : 1); r++)
		for (u32 i = thread; i < groups; i += threads) ((uint4 *)k.visited())[(Id)(r * k.ranks.part / kGroup) + i] = zero;
	__syncthreads();
	const Id global_id = (Id)k.at.root;
	const bool any = !is_none(global_id);
	const bool own = any && (!Form::kMany || rank_of_id(k.ranks, global_id) == k.ranks.rank);
	const u32 local_id = k.graph.local_id(global_id);
	const bool is_non_leaf = any && !k.graph.is_leaf(global_id);
	if (is_non_leaf && local_id / kGroup % threads == thread) // this thread has cleared the word
		k.visited()[word_of(global_id)] = 1u << bit_of(global_id);
	if (Form::kMany) clear_exchange(k, thread, threads);
	if (thread < kRing) s.counters[thread] = {thread == 0 && any};
	if (thread == 0) s.overlap->begin(processor());
	if (thread == 0 && any) {
		*k.queue() = k.at.step == kPushReplicated ? (u32)global_id : local_id;
	}
	if (thread == 0 && own && is_non_leaf) store_parent<Form>(s, local_id, root);
	arrive_at_grid(k);
	if (threadIdx.x == 0) number_root(k);
	wait_for_grid(k);
}

// Prepares the result: writes how vertices were reached or, if writing the result has already started, writes the
// remaining unreached vertices. Stores the epochs for the next search.
template <typename Form>
__device__ void finish(Context<Form> &k) {
	const State &s = k.state;
	if (Form::kMany && !k.at.synchronized && !k.at.failed) { // leaves read the bits of other ranks' vertices
		synchronize_visited(k);
		record_traffic_after_levels(k);
	}
	if (k.at.overlapping) {
		write_unreached(k);
	} else {
		lay_out_reached(k.graph, s, k.own_part(k.visited()), k.at.swept);
		start_result(k, false);
	}
	if (!is_first_thread()) return;
	s.epochs->arrivals = k.at.arrivals;
	if (!Form::kMany) return;
	s.epochs->barriers = k.at.barriers;
	s.epochs->rounds = k.at.rounds;
	s.epochs->current = k.at.current; // the bitmap in which ranks may differ about remote vertices
}

// Function calls in a switch over the steps (step.h).
#define G500_CALL(function) return function(k)
#define G500_CALL_IF(forms, function) \
	if constexpr (forms) function(k); \
	return
#define G500_AS_NEXT [[fallthrough]]

// Executes one level.
template <typename Form>
__device__ void level(Context<Form> &k) {
	if (is_first_thread()) *k.counters(k.at.level + 2) = {};
	switch (k.at.step) {
#define G500_ROW(NAME, step, name, direction, lists, run, plan_next) \
	case step: run;
		G500_STEPS(G500_ROW)
#undef G500_ROW
	}
}

// Plans the next level after one of k.at.step.
template <typename Form>
__device__ void plan(Context<Form> &k) {
	switch (k.at.step) {
#define G500_ROW(NAME, step, name, direction, lists, run, plan_next) \
	case step: plan_next;
		G500_STEPS(G500_ROW)
#undef G500_ROW
	}
}

#undef G500_CALL
#undef G500_CALL_IF
#undef G500_AS_NEXT

// A barrier of all ranks. Replicated levels have none, so one every kLevelsPerLook levels lets ranks agree to end.
template <typename Form>
__device__ __noinline__ void meet_ranks(Context<Form> &k) {
	if constexpr (Form::kReplicates) rank_barrier(k, Published{});
}

template <typename Form>
__device__ bool has_ended(const Context<Form> &k) {
	return k.at.frontier == 0 || k.at.failed;
}

// Searches from the root of doorbell ring number `ring`.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks)
search_kernel(const __grid_constant__ Graph graph, const __grid_constant__ State state,
              const __grid_constant__ Ranks ranks, const __grid_constant__ Policy policy, u32 ring) {
	G500_SHARED_MEMORY(memory);
	Context<Form> &k = *reinterpret_cast<Context<Form> *>(memory);
	if (threadIdx.x == 0) {
		new (&k) Context<Form>(graph, state, ranks, policy);
		k.root = await_ring(state.doorbell, ring);
	}
	__syncthreads();
	if (k.root == kNoRoot) return;
	start(k);
	for (;;) {
		plan(k);
		if (has_ended(k)) break;
		const bool last = leads_nowhere(k.at);
		if (can_overlap(k) && !overlap_result(k)) return;
		if (!last) level(k);
		if (has_ended(k)) break; // a root without an edge is not in the frontier
		record_level(k);
		if (last) break;
		by_one_thread([&] {
			k.at.level++;
			k.at.estimated = graph.directed;
			if (k.at.level % kLevelsPerLook == 0) look_around(k);
		});
		if (k.at.step == kPushReplicated && k.at.level % kLevelsPerLook == 0) meet_ranks(k);
	}
	finish(k);
}

} // namespace g500
