// Parents of vertices that are as far away as a neighbour, where a weight is zero or vanishes in the sum. If such
// vertices took any neighbour at the right distance for a parent, they could form a cycle.
//
// A vertex that was reached over an edge that made its path no longer is listed. Of those that are listed, one with a
// neighbour that is nearer takes that one. The others are tied, and take a neighbour as far away once that one is tied no
// more: so each parent was settled before its child, and there is no cycle.
#pragma once

#include "sssp/relax.cuh"

namespace g500::sssp {

// Where the parent of a vertex of the core lies: in its hint, if that is as short as its distance, or in parent.
__device__ inline bool has_hint(const Context &k, u32 v) {
	return v < k.policy.hinted && (u32)(__ldcg(k.state.hint + v) >> 32) == (k.word(v) & ~kFinal);
}
__device__ inline u32 parent_of(const Context &k, u32 v) {
	return has_hint(k, v) ? (u32)__ldcg(k.state.hint + v) : __ldcg(k.state.parent + v);
}
__device__ inline void set_parent(const Context &k, u32 v, u32 parent) {
	if (has_hint(k, v)) k.state.hint[v] = (ull)(k.word(v) & ~kFinal) << 32 | parent;
	else k.state.parent[v] = parent;
}

// Finds a neighbour from which a path of just the right length comes. It is nearer, or as far away and not tied where
// those are asked for; kNone if there is none.
__device__ inline u32 find_parent(const Context &k, u32 v, bool untied) {
	const Graph &g = k.graph;
	const float distance = distance_in(k.word(v));
	for (u64 i = g.rows[v]; i < g.rows[v + 1]; i++) {
		const Column c = g.cols[i];
		if (c.weight > distance) break;
		const float from = distance_in(k.word(c.position));
		if (from + c.weight != distance) continue;
		if (from < distance || (untied && parent_of(k, c.position) != kTied)) return c.position;
	}
	return kNone;
}

// Does something with each listed vertex that was reached, but for the first one of the search. Where the list was too
// short, with all vertices.
template <typename Act>
__device__ inline void for_listed(const Context &k, Act act) {
	const u64 listed = read_now(&k.state.totals->tied), core = k.graph.core;
	const u32 threads = gridDim.x * kThreads, start = *(volatile u32 *)&k.state.way->start;
	for (u64 i = blockIdx.x * kThreads + threadIdx.x; i < min(listed, core); i += threads) {
		const u32 v = listed > core ? (u32)i : __ldcg(k.state.ties + i);
		if (v != start && (k.word(v) & ~kFinal) != kInfinite) act(v);
	}
}

// Settles the listed vertices.
__device__ __noinline__ void settle_ties(Context &k) {
	if (read_now(&k.state.totals->tied) == 0) return;
	for_listed(k, [&](u32 v) {
		const u32 nearer = find_parent(k, v, false);
		set_parent(k, v, nearer == kNone ? kTied : nearer);
	});
	grid_barrier(k);
	for (u32 round = 0; !k.at.failed; round++) {
		ull *unresolved = &k.state.totals->unresolved[round % kRounds];
		if (is_first_thread()) k.state.totals->unresolved[(round + 1) % kRounds] = 0;
		for_listed(k, [&](u32 v) {
			if (parent_of(k, v) != kTied) return;
			const u32 parent = find_parent(k, v, true);
			if (parent != kNone) set_parent(k, v, parent);
			else atomicAdd(unresolved, 1);
		});
		grid_barrier(k);
		if (read_now(unresolved) == 0) return;
	}
}

} // namespace g500::sssp
