// Writes into peers' memory during a search, and values on which all ranks agree at a barrier.
#pragma once

#include "sssp/owner.cuh"

namespace g500::sssp {

// Sends a word of one of this rank's vertices to all peers.
__device__ inline void send_word(const Context &k, u32 *const *arrays, u32 v, u32 word) {
	for (u32 i = 1; i < k.ranks.count; i++) arrays[rank_after(k.ranks, i)][v] = word;
}

// Sends the distances of this rank's vertices outside trees to all peers, four at a time if one is reached, and waits
// at a rank barrier. Peers have all other distances as infinite. Reads 4 B per vertex and writes them to each peer.
__device__ __noinline__ inline void send_reached(Context &k) {
	u32 *const *const arrays = k.state.peers.distance;
	const u64 begin = k.graph.base / 4, end = begin + (k.graph.own_non_tree + 3) / 4; // in units of 16 bytes
	const uint4 *own = (const uint4 *)arrays[k.ranks.rank];
	for (u64 i = begin + blockIdx.x * kThreads + threadIdx.x; i < end; i += (u64)gridDim.x * kThreads) {
		const uint4 words = __ldcg(own + i);
		if (min(min(words.x, words.y), min(words.z, words.w)) == kInfinite) continue;
		for (u32 j = 1; j < k.ranks.count; j++) ((uint4 *)arrays[rank_after(k.ranks, j)])[i] = words;
	}
	rank_barrier(k, Published{});
}

// Returns the address of the farthest distance that `from` sends to `rank`.
__device__ inline volatile u32 *farthest_in(const Context &k, u32 rank, u32 from, u32 barrier) {
	return in_window_of(k.ranks, rank, k.state.farthest) + (barrier & 1) * k.ranks.count + from;
}

// A barrier of ranks that also computes the farthest distance of all ranks. This rank's blocks must have passed a grid
// barrier.
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
