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

} // namespace g500::sssp
