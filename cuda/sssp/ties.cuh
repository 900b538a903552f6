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
// nearer and has not been looked for. Of another rank's vertex a peer has both; where hosts exchange, the list has it.
template <bool kPeers>
__device__ inline u32 parent_of(const Context &k, u32 v) {
	const Owner<kPeers> owner = owner_of<kPeers>(k.ranks, v);
	const bool hinted = k.policy.has_hint(k.graph, v) && (kPeers || k.graph.owns(v));
	const ull hint = hinted ? read_now(owner.its(k.state.hint) + k.policy.hint_at(k.graph, v)) : ~0ull;
	return (u32)(hint >> 32) == (k.word(v) & ~kFinal) ? (u32)hint : read_now(owner.parents(k.state) + v);
}

// Whether the parents of a vertex lead to one that is nearer, or to the first one, past no tied vertex. A way longer
// than the core would be a cycle, and a fault.
template <bool kPeers>
__device__ inline bool leads_nearer(const Context &k, u32 v) {
	const u32 start = read_now(&k.state.root_path->start), word = k.word(v) & ~kFinal;
	for (u64 steps = 0; v != start; steps++) {
		const u32 parent = parent_of<kPeers>(k, v);
		if (parent == kTied || steps > (u64)k.graph.non_tree * k.ranks.count) return false;
		if (parent == kUnknown || parent == kFirstEnd || (k.word(parent) & ~kFinal) < word) return true;
		v = parent;
	}
	return true;
}

// The lanes of a warp look for a neighbour from which a path of just the right length comes: one that is nearer, or,
// where ties are looked at, as far away. kNone if there is none.
template <bool kPeers>
__device__ inline u32 find_neighbour(const Context &k, u32 v, bool tied) {
	const Graph &g = k.graph;
	const float distance = distance_in(k.word(v));
	const u64 end = g.rows[g.local_id(v) + 1];
	for (u64 i = g.rows[g.local_id(v)] + lane_of_thread();; i += 32) {
		const Col c = i < end ? g.cols[i] : Col{kNone, infinity()};
		bool right = false;
		if (!(c.weight > distance)) {
			const float from = distance_in(k.word(c.global_id));
			right = from + c.weight == distance && (tied ? leads_nearer<kPeers>(k, c.global_id) : from < distance);
		}
		if (const u32 lanes = __ballot_sync(~0u, right)) return __shfl_sync(~0u, c.global_id, __ffs(lanes) - 1);
		if (__any_sync(~0u, c.weight > distance)) return kNone; // rows rise by weight
	}
}

// A warp does something with each listed vertex whose parent is the given one. Its lanes take entries far from each
// other, so that all warps have some. Where the list was too short, all vertices are looked at, 32 together.
template <bool kPeers, typename Act>
__device__ inline void for_listed(const Context &k, u32 parent, Act act) {
	const u64 listed = read_now(&k.state.totals->tied);
	const bool all = listed > k.graph.non_tree;
	const u64 n = all ? k.graph.own_non_tree : listed;
	const u32 lane = lane_of_thread(), warps = gridDim.x * kWarps, warp = blockIdx.x * kWarps + threadIdx.x / 32;
	for (u64 begin = 0; begin < n; begin += 32 * warps) {
		const u64 i = begin + (all ? 32 * warp + lane : lane * warps + warp);
		const u32 v = i >= n ? kNone : all ? k.graph.base + (u32)i : __ldcg(k.state.ties + i);
		const bool meant = v != kNone && parent_of<kPeers>(k, v) == parent && (k.word(v) & ~kFinal) != kInfinite;
		for (u32 lanes = __ballot_sync(~0u, meant); lanes; lanes &= lanes - 1) act(__shfl_sync(~0u, v, __ffs(lanes) - 1));
	}
}

// Gives the listed vertices a nearer neighbour as parent. Those that have none are tied, and counted.
template <bool kPeers>
__device__ __noinline__ inline void find_parents(Context &k, ull *tied) {
	for_listed<kPeers>(k, kUnknown, [&](u32 v) {
		const u32 nearer = find_neighbour<kPeers>(k, v, false);
		if (lane_of_thread() > 0) return;
		k.state.parent[v] = nearer == kNone ? kTied : nearer;
		if (nearer == kNone) atomicAdd(tied, 1);
	});
}

// A round of the tied vertices. Those that remain so are counted. A vertex may be listed twice, and gets one parent: in
// the meantime another one may have taken it for its own.
template <bool kPeers>
__device__ __noinline__ inline void settle_tied(Context &k, ull *still_tied) {
	for_listed<kPeers>(k, kTied, [&](u32 v) {
		const u32 parent = find_neighbour<kPeers>(k, v, true);
		if (lane_of_thread() > 0) return;
		if (parent != kNone) atomicCAS(k.state.parent + v, kTied, parent);
		else atomicAdd(still_tied, 1);
	});
}

// Settles the listed vertices, on one rank or among peers. count(how many of this rank are tied) waits for all blocks,
// of all ranks, and returns how many there are. A round that settles none would be a fault: then it is over too, and
// the judge finds them.
template <bool kPeers, typename Count>
__device__ inline void settle_listed(Context &k, Count count) {
	ull *const still_tied = k.state.totals->still_tied;
	begin_step(k, G500_SSSP_TIES);
	find_parents<kPeers>(k, still_tied);
	u64 before = ~0ull, tied = count(still_tied);
	for (u32 round = 0; tied > 0 && tied < before && !k.at.failed; round++) {
		if (is_first_thread()) still_tied[(round + 2) % kRounds] = 0;
		settle_tied<kPeers>(k, still_tied + (round + 1) % kRounds);
		before = tied;
		tied = count(still_tied + (round + 1) % kRounds);
		if (round % kLevelsPerLook == 0) by_one_thread([&] { look_around(k); });
	}
}

// Writes the parents of the hinted vertices of this rank where other ranks look.
__device__ __noinline__ inline void lay_out_parents(Context &k) {
	const Graph &g = k.graph;
	const u32 threads = gridDim.x * kThreads;
	for (u32 v = blockIdx.x * kThreads + threadIdx.x; v < min(k.policy.hinted, g.own_non_tree); v += threads)
		k.state.parent[g.base + v] = parent_of<false>(k, g.base + v);
}

// Settles the listed vertices, on one rank.
__device__ __noinline__ inline void settle_ties(Context &k) {
	if (k.at.failed || read_now(&k.state.totals->tied) == 0) return;
	settle_listed<false>(k, [&](const ull *tied) {
		grid_barrier(k);
		return read_now(tied);
	});
}

} // namespace g500::sssp
