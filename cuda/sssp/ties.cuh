// Parents of vertices that are as far away as a neighbour, where a weight is zero or vanishes in the sum.
//
// A parent that is written together with a distance that falls is on no cycle, whatever the weights (ADR 18): that are
// the parents that pulls write, and hints. The others are found in the end: a neighbour that is nearer, from which a
// path of just the right length comes. A vertex that a neighbour as far away has pushed may have none. It is tied, and
// takes a neighbour as far away whose own parents lead to a nearer vertex without another tied one. The first of the
// tied vertices that was reached has such a neighbour, so that each round settles one at least.
#pragma once

#include "sssp/relax.cuh"

namespace g500::sssp {

// The parent of a vertex of the core: its hint, if that is as short as its distance; kFirstEnd or kUnknown, if it is
// nearer and has not been looked for.
__device__ inline u32 parent_of(const Context &k, u32 v) {
	const bool hinted = k.policy.has_hint(k.graph, v) && k.graph.owns(v);
	const ull hint = hinted ? __ldcg(k.state.hint + k.policy.hint_at(k.graph, v)) : ~0ull;
	return (u32)(hint >> 32) == (k.word(v) & ~kFinal) ? (u32)hint : __ldcg(k.state.parent + v);
}

// Whether the parents of a vertex lead to one that is nearer, or to the first one, past no tied vertex.
__device__ inline bool leads_nearer(const Context &k, u32 v) {
	const u32 start = *(volatile u32 *)&k.state.way->start, word = k.word(v) & ~kFinal;
	while (v != start) {
		const u32 parent = parent_of(k, v);
		if (parent == kTied) return false;
		if (parent == kUnknown || parent == kFirstEnd || (k.word(parent) & ~kFinal) < word) return true;
		v = parent;
	}
	return true;
}

// Finds a neighbour from which a path of just the right length comes: one that is nearer, or, where ties are looked at,
// as far away. kNone if there is none.
__device__ inline u32 find_parent(const Context &k, u32 v, bool tied) {
	const Graph &g = k.graph;
	const float distance = distance_in(k.word(v));
	const u32 hub = g.hub(v);
	for (u64 i = g.rows[hub]; i < g.rows[hub + 1]; i++) {
		const Column c = g.cols[i];
		if (c.weight > distance) break;
		const float from = distance_in(k.word(c.position));
		if (from + c.weight != distance) continue;
		if (tied ? leads_nearer(k, c.position) : from < distance) return c.position;
	}
	return kNone;
}

// Does something with each listed vertex whose parent is the given one. Where the list was too short, all are looked
// at.
template <typename Act>
__device__ inline void for_listed(const Context &k, u32 parent, Act act) {
	const u64 listed = read_now(&k.state.totals->tied);
	const bool all = listed > k.graph.core;
	const u32 threads = gridDim.x * kThreads;
	for (u64 i = blockIdx.x * kThreads + threadIdx.x; i < (all ? k.graph.in_core : listed); i += threads) {
		const u32 v = all ? k.graph.base + (u32)i : __ldcg(k.state.ties + i);
		if (parent_of(k, v) == parent && (k.word(v) & ~kFinal) != kInfinite) act(v);
	}
}

// Gives the listed vertices a nearer neighbour as parent. Those that have none are tied, and counted.
__device__ __noinline__ inline void find_parents(Context &k, ull *tied) {
	for_listed(k, kUnknown, [&](u32 v) {
		const u32 nearer = find_parent(k, v, false);
		k.state.parent[v] = nearer == kNone ? kTied : nearer;
		if (nearer == kNone) atomicAdd(tied, 1);
	});
	grid_barrier(k);
}

// A round of the tied vertices. Those that remain so are counted.
__device__ __noinline__ inline void settle_tied(Context &k, ull *still_tied) {
	for_listed(k, kTied, [&](u32 v) {
		const u32 parent = find_parent(k, v, true);
		if (parent != kNone) k.state.parent[v] = parent;
		else atomicAdd(still_tied, 1);
	});
	grid_barrier(k);
}

// Writes the parents of the hinted vertices of this rank where other ranks look.
__device__ __noinline__ inline void lay_out_parents(Context &k) {
	const Graph &g = k.graph;
	const u32 threads = gridDim.x * kThreads;
	for (u32 hub = blockIdx.x * kThreads + threadIdx.x; hub < min(k.policy.hinted, g.in_core); hub += threads)
		k.state.parent[g.base + hub] = parent_of(k, g.base + hub);
	grid_barrier(k);
}

// Settles the listed vertices, on one rank.
__device__ __noinline__ inline void settle_ties(Context &k) {
	ull *const still_tied = k.state.totals->still_tied;
	if (read_now(&k.state.totals->tied) == 0) return;
	find_parents(k, still_tied);
	for (u32 round = 0; read_now(still_tied + round % kRounds) > 0 && !k.at.failed; round++) {
		if (is_first_thread()) still_tied[(round + 2) % kRounds] = 0;
		settle_tied(k, still_tied + (round + 1) % kRounds);
	}
}

} // namespace g500::sssp
