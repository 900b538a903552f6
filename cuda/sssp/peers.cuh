// What a rank writes into its peers' memory during a search, and what all agree on at a barrier of ranks.
#pragma once

#include "sssp/owner.cuh"

namespace g500::sssp {

// Tells the peers a word of one of this rank's vertices. Nothing is told on one rank, and where hosts exchange.
__device__ inline void tell(const Context &k, u32 *const *arrays, u32 v, u32 word) {
	if (!arrays) return;
	for (u32 i = 1; i < k.ranks.count; i++) arrays[rank_after(k.ranks, i)][v] = word;
}

// Tells the peers the distances of this rank's vertices of the core, at a barrier of ranks: of four at a time, if one
// is reached. For all else peers have it that it is not. Reads 4 B a vertex, and writes them to each peer.
__device__ __noinline__ inline void send_reached(Context &k) {
	u32 *const *const arrays = k.state.peers.distance;
	const u64 begin = k.graph.base / 4, end = begin + (k.graph.own_non_tree + 3) / 4; // in 16 bytes
	const uint4 *own = (const uint4 *)arrays[k.ranks.rank];
	for (u64 i = begin + blockIdx.x * kThreads + threadIdx.x; i < end; i += (u64)gridDim.x * kThreads) {
		const uint4 words = __ldcg(own + i);
		if (min(min(words.x, words.y), min(words.z, words.w)) == kInfinite) continue;
		for (u32 j = 1; j < k.ranks.count; j++) ((uint4 *)arrays[rank_after(k.ranks, j)])[i] = words;
	}
	rank_barrier(k, Published{});
}

// Where a rank is told how far the farthest distance of another is that is not final.
__device__ inline volatile u32 *farthest_in(const Context &k, u32 rank, u32 from, u32 barrier) {
	return in_window_of(k.ranks, rank, k.state.farthest) + (barrier & 1) * k.ranks.count + from;
}

// A barrier of ranks behind which all know the farthest distance of all. This rank's blocks come from a grid barrier.
__device__ __noinline__ inline void agree(Context &k, const Published &published) {
	if (is_first_thread()) {
		const u32 farthest = *(volatile u32 *)&k.state.totals->farthest;
		for (u32 r = 0; r < k.ranks.count; r++) *farthest_in(k, r, k.ranks.rank, k.at.barriers + 1) = farthest;
	}
	rank_barrier(k, published);
	by_one_thread([&] {
		for (u32 r = 0; r < k.ranks.count; r++)
			k.at.farthest = fmaxf(k.at.farthest, __uint_as_float(*farthest_in(k, k.ranks.rank, r, k.at.barriers)));
	});
}

} // namespace g500::sssp
