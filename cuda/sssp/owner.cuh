// What a rank changes in the memory of its peers. A push is compiled in two forms: of one rank's vertices, and among
// peers, where who makes a vertex nearer changes what its owner knows at once.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

// Where a rank has what this one has at an address of its window: all windows are laid out alike.
template <typename T>
__device__ inline T *in_window_of(const Ranks &ranks, u32 rank, T *own) {
	return (T *)(ranks.windows[rank] + ((const unsigned char *)own - ranks.window));
}

// Owner is the rank that a vertex belongs to. Its words are changed by atomics of this rank's blocks alone, or, among
// peers, of all ranks.
template <bool kPeers>
struct Owner {
	const Ranks &ranks;
	const u32 rank;

	// What the owner has at that address of this rank's window.
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

// The owner of a vertex, by position. Where hosts exchange it is this rank, which keeps what it knows of others' too.
template <bool kPeers>
__device__ inline Owner<kPeers> owner_of(const Ranks &ranks, u32 v) {
	return {ranks, kPeers ? rank_of_id(ranks, v) : ranks.rank};
}

} // namespace g500::sssp
