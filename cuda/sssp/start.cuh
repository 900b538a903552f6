// SPDX-License-Identifier: Apache-2.0

// The start of a search: clears the state of the last one, and puts the first vertex outside trees into the frontier.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

// Trees: the path from a root in a tree to the non-tree subgraph, and the distances of inner vertices.

// Finds the root path of a root of this rank, a label, with one thread. In a graph of kernel 1, two leaves may have
// only each other: the path ends at the other one.
__device__ inline void find_root_path(const Context &k, u32 root, RootPath &root_path) {
	const Graph &g = k.graph;
	const u32 local_id = g.local_ids[root / k.ranks.count];
	u32 v = local_id == kNone ? kNone : g.base + local_id, from = v;
	float distance = 0;
	root_path.length = 0;
	while (v != kNone && !g.is_outside_trees(v)) {
		root_path.entries[root_path.length++] = {v, from, distance};
		const Col above = g.above(g.local_id(v));
		distance += above.weight;
		if (g.is_leaf(above.global_id)) {
			root_path.entries[root_path.length++] = {above.global_id, v, distance};
			from = v = kNone;
			break;
		}
		from = v;
		v = above.global_id;
	}
	root_path.start = v;
	root_path.parent = from;
	root_path.distance = distance;
}

// Ancestry computes the distance of an inner vertex of a tree from its ancestors, the vertices above it. Those on the
// root path, at most one per level, have their distances already.
struct Ancestry {
	const Context &k;
	const u32 length; // of the root path

	__device__ inline explicit Ancestry(const Context &k) : k(k), length(read_now(&k.state.root_path->length)) {}

	__device__ inline u32 level(u32 v) const {
		u32 level = 0;
		while (v >= k.graph.level_begin[level + 1]) level++;
		return level;
	}
	__device__ inline bool is_on_root_path(u32 v, u32 level) const {
		return level < length && __ldcg(&k.state.root_path->entries[length - 1 - level].vertex) == v;
	}

	// Returns the distance of a vertex in a level: follows the ancestors to one with a distance, and adds the weights
	// from there.
	__device__ __noinline__ float distance(u32 v, u32 level) const {
		float weights[kMostLevels];
		u32 edges = 0;
		while (!k.graph.is_outside_trees(v) && !is_on_root_path(v, level)) {
			const Col above = k.graph.above(v);
			weights[edges++] = above.weight;
			v = above.global_id;
			level--;
		}
		float distance = distance_in(k.word(v));
		while (edges > 0) distance += weights[--edges];
		return distance;
	}
};

constexpr u32 kTreesAtOnce = 4; // vertices of trees that a thread processes at a time

// Stores the distances of the inner vertices of trees. Nearly all are directly below the non-tree subgraph. Leaves get
// their distances when the result is written. Reads 8 B per vertex and a sector of distances per edge to the non-tree
// subgraph; writes 4 B.
__device__ __noinline__ inline void reach_trees(Context &k) {
	begin_step(k, G500_SSSP_TREES);
	const Graph &g = k.graph;
	const Ancestry trees(k);
	const u32 threads = gridDim.x * kThreads, hung = g.levels > 0 ? g.level_begin[1] : g.non_tree;
	for (u64 first = g.non_tree + thread_number<kThreads>(); first < g.inner;
	     first += (u64)threads * kTreesAtOnce) {
		Col above[kTreesAtOnce];
		u32 word[kTreesAtOnce];
#pragma unroll
		for (u32 j = 0; j < kTreesAtOnce; j++) {
			const u64 v = first + (u64)j * threads;
			above[j] = v < hung ? g.above((u32)v) : Col{kNone, 0};
		}
#pragma unroll
		for (u32 j = 0; j < kTreesAtOnce; j++) word[j] = above[j].global_id == kNone ? 0 : k.word(above[j].global_id);
#pragma unroll
		for (u32 j = 0; j < kTreesAtOnce; j++) {
			const u64 v = first + (u64)j * threads;
			if (v >= g.inner) break;
			const u32 level = v < hung ? 0 : trees.level((u32)v);
			if (trees.is_on_root_path((u32)v, level)) continue;
			const float distance = v < hung ? distance_in(word[j]) + above[j].weight : trees.distance((u32)v, level);
			k.state.distance[v] = __float_as_uint(distance);
		}
	}
	if (g.levels > 0) grid_barrier(k);
}

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
