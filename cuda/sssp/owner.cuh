// SPDX-License-Identifier: Apache-2.0

// Changes in the memory of peers. A push is compiled in two forms: for one rank's vertices, and for peers, where a rank
// writes new distances directly to the vertex's owner.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

// Returns another rank's address for an address in this rank's window. All windows have the same layout.
template <typename T>
__device__ inline T *in_window_of(const Ranks &ranks, u32 rank, T *own) {
	return (T *)(ranks.windows[rank] + ((const unsigned char *)own - ranks.window));
}

// Owner is the rank that owns a vertex. Its words are changed by atomics of this rank's blocks or, with peers, of all
// ranks.
template <bool kPeers>
struct Owner {
	const Ranks &ranks;
	const u32 rank;

	// Returns the owner's address for an address in this rank's window.
	template <typename T>
	__device__ inline T *its(T *own) const {
		if constexpr (kPeers) return in_window_of(ranks, rank, own);
		else return own;
	}
	__device__ inline u32 *distances(const State &s) const { return kPeers ? s.peers.distance[rank] : s.distance; }
	__device__ inline u32 *parents(const State &s) const { return kPeers ? s.peers.parent[rank] : s.parent; }

	template <typename T>
	__device__ static inline T min(T *at, T value) {
		if constexpr (kPeers) return atomicMin_system(at, value);
		else return atomicMin(at, value);
	}
	template <typename T>
	__device__ static inline T add(T *at, T value) {
		if constexpr (kPeers) return atomicAdd_system(at, value);
		else return atomicAdd(at, value);
	}
	__device__ static inline u32 exchange(u32 *at, u32 value) {
		if constexpr (kPeers) return atomicExch_system(at, value);
		else return atomicExch(at, value);
	}
};

// Returns the owner of a vertex, a global id. Between ranks that are not peers it is this rank, which also keeps
// distances of other ranks' vertices.
template <bool kPeers>
__device__ inline Owner<kPeers> owner_of(const Ranks &ranks, u32 v) {
	return {ranks, kPeers ? rank_of_id(ranks, v) : ranks.rank};
}

// Writes into peers' memory during a search, and values on which all ranks agree at a barrier.

// Waits for all blocks, with peers for those of all ranks. Returns the sum of a counter, if it is not null, over the
// ranks.
template <typename Form>
__device__ inline u64 sum_at_barrier(Context &k, const ull *counter) {
	if constexpr (Form::kPeers) {
		Published published{};
		published.of[kVertices] = counter;
		rank_barrier(k, published);
		return k.sums.of[kVertices];
	} else {
		grid_barrier(k);
		return count_of(counter);
	}
}

// Sends a word of one of this rank's vertices to all peers.
__device__ inline void send_word(const Context &k, u32 *const *arrays, u32 v, u32 word) {
	for (u32 i = 1; i < k.ranks.count; i++) arrays[rank_after(k.ranks, i)][v] = word;
}

// Sends the distances that a push has reached to all peers, four at a time if one is reached, and waits at a rank
// barrier. Peers have all others as infinite. Reads 4 B per vertex and writes them to each peer.
__device__ __noinline__ inline void send_reached(Context &k) {
	u32 *const *const arrays = k.state.peers.distance;
	const u32 base = k.graph.base, last = (base + k.graph.own_non_tree + 3) / 4;
	const uint4 none = make_uint4(kInfinite, kInfinite, kInfinite, kInfinite);
	for (u32 i = base / 4 + thread_number<kThreads>(); i < last; i += gridDim.x * kThreads) {
		const uint4 words = __ldcg((const uint4 *)arrays[k.ranks.rank] + i);
		if (is_same(words, none)) continue;
		for (u32 j = 1; j < k.ranks.count; j++) ((uint4 *)arrays[rank_after(k.ranks, j)])[i] = words;
	}
	rank_barrier(k, Published{});
}

// Returns the address of the farthest distance that `from` sends to `rank`.
__device__ inline volatile u32 *farthest_in(const Context &k, u32 rank, u32 from, u32 barrier) {
	return in_window_of(k.ranks, rank, k.state.farthest) + (barrier & 1) * k.ranks.count + from;
}

// A barrier of ranks that sums a counter, and also computes the farthest distance of all ranks. This rank's blocks must
// have passed a grid barrier.
__device__ __noinline__ inline void agree(Context &k, const ull *counter) {
	if (is_first_thread()) {
		const u32 farthest = *(volatile u32 *)&k.state.totals->farthest;
		for (u32 r = 0; r < k.ranks.count; r++) *farthest_in(k, r, k.ranks.rank, k.at.barriers + 1) = farthest;
	}
	sum_at_barrier<PeerRanks>(k, counter);
	by_one_thread([&] {
		for (u32 r = 0; r < k.ranks.count; r++)
			k.at.farthest = fmaxf(k.at.farthest, __uint_as_float(*farthest_in(k, k.ranks.rank, r, k.at.barriers)));
	});
}

} // namespace g500::sssp
