// What a rank writes into its peers' memory during a search, and what all agree on at a barrier of ranks.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

// Tells the peers a word of one of this rank's vertices. Nothing is told on one rank, and where hosts exchange.
__device__ inline void tell(const Context &k, u32 *const *arrays, u32 v, u32 word) {
	if (!arrays) return;
	for (u32 i = 1; i < k.ranks.count; i++) arrays[rank_after(k.ranks, i)][v] = word;
}

// Tells the peers a word of each of this rank's vertices of the core, at a barrier of ranks. Reads 4 B a vertex, and
// writes them to each peer.
__device__ __noinline__ inline void tell_core(Context &k, u32 *const *arrays) {
	const u64 begin = k.graph.base / 4, end = begin + (k.graph.in_core + 3) / 4; // in 16 bytes
	const uint4 *own = (const uint4 *)arrays[k.ranks.rank];
	for (u64 i = begin + blockIdx.x * kThreads + threadIdx.x; i < end; i += (u64)gridDim.x * kThreads) {
		const uint4 words = __ldcg(own + i);
		for (u32 j = 1; j < k.ranks.count; j++) ((uint4 *)arrays[rank_after(k.ranks, j)])[i] = words;
	}
	rank_barrier(k, Published{});
}

// Extremes are of one rank: bits of the nearest landmark's distance, and of the farthest one that is not final.
struct Extremes {
	u32 nearest, farthest;
};

__device__ inline volatile Extremes *extremes_in(const Context &k, u32 rank, u32 from, u32 barrier) {
	const u64 at = (barrier & 1) * k.ranks.count + from;
	return in_window<Extremes>(k.ranks, rank, k.state.peers.extremes) + at;
}

// One thread of a rank does it, when no block changes them any more.
__device__ inline void tell_extremes(const Context &k) {
	const u32 next = *(volatile u32 *)&k.counters(k.at.rounds + 1)->nearest;
	const u32 nearest = min(next, __float_as_uint(k.at.nearest));
	const u32 farthest = *(volatile u32 *)&k.state.totals->farthest;
	for (u32 r = 0; r < k.ranks.count; r++) {
		volatile Extremes *there = extremes_in(k, r, k.ranks.rank, k.at.barriers + 1);
		there->nearest = nearest;
		there->farthest = farthest;
	}
}

__device__ inline void take_extremes(Context &k) {
	for (u32 r = 0; r < k.ranks.count; r++) {
		const volatile Extremes *from = extremes_in(k, k.ranks.rank, r, k.at.barriers);
		k.at.nearest = fminf(k.at.nearest, __uint_as_float(from->nearest));
		k.at.farthest = fmaxf(k.at.farthest, __uint_as_float(from->farthest));
	}
}

// A barrier of ranks behind which all know the extremes of all. This rank's blocks come from a grid barrier. Returns
// the sum of what is published as vertices and as edges.
__device__ __noinline__ inline u64 agree(Context &k, const Published &published) {
	if (is_first_thread()) tell_extremes(k);
	rank_barrier(k, published);
	alone([&] { take_extremes(k); });
	return k.sums.of[kVertices] + k.sums.of[kEdges];
}

} // namespace g500::sssp
