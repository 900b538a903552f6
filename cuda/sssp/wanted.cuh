// SPDX-License-Identifier: Apache-2.0

// Peers send each other each distance of a sweep. Three or more may (policy.copied) send, after each degree class of
// the first sweep, the distances of the class (send_words); of the last class, three quarters of the vertices, only
// those that a rank wants: the ends of its rows' first edges, and of the edges of its leaves. It lists these once, and
// gets the distances packed in the order of the list. Later, distances that are not final are read where the owners
// have them. In this form the lists ran in the emulator only.
#pragma once

#include "common/check.cuh"
#include "sssp/open_lists.cuh"
#include "sssp/owner.cuh"

struct g500_sssp;

namespace g500::sssp {

constexpr u32 kFewestThatWant = 3; // peers. Two H200s at scale 27 took 3.1 ms with lists, 2.6 without

// Wanted is one peer's list of this rank's vertices, for this rank.
struct Wanted {
	const u32 *ids; // global ids
	u32 count;
	u32 place; // of the first one in the peer's complete list, which is by owner
};

class WantedStore {
public:
	// Lists the vertices that this rank wants, in its window, and marks others (State.unsent). Synchronous.
	int list(const g500_sssp &by, State &state, cudaStream_t stream);

	// Copies the lists of all peers, after these have listed. Synchronous.
	int copy(const g500_sssp &by, void *const *windows, const Wanted *&wanted, cudaStream_t stream);

private:
	Array<Wanted> of_; // by rank
	Array<u32> ids_, unsent_;
};

// Returns the first local id whose distances are not sent class by class.
__host__ __device__ inline u32 first_wanted(const Graph &g, const Policy &policy) {
	return policy.copied >= policy.classes ? g.non_tree : class_range(g.non_tree, policy.classes, policy.copied).begin;
}

// Sends peers the words that they want into their unused frontiers. This rank's blocks must have passed a grid barrier.
// Reads 4 B and a sector of distances per word, and writes 4 B to the peer.
__device__ __noinline__ inline void send_wanted(const Context &k) {
	const u32 threshold = __float_as_uint(k.threshold());
	for (u32 j = 1; j < k.ranks.count; j++) {
		const u32 to = rank_after(k.ranks, j);
		const Wanted of = k.state.asked[to];
		u32 *const words = in_window_of(k.ranks, to, k.frontier(k.at.rounds)) + of.place;
		for (u32 i = thread_number<kThreads>(); i < of.count; i += gridDim.x * kThreads)
			words[i] = marked(k.word(of.ids[i]), threshold);
	}
}

// Calls act(unit) for the units of 16 bytes of this rank's vertices outside trees in State.fallen.
template <typename Act>
__device__ inline void for_fallen(const Context &k, Act act) {
	const u32 begin = k.graph.base / kGroup, end = begin + (k.graph.own_non_tree + kGroup - 1) / kGroup;
	for (u32 i = begin + thread_number<kThreads>(); i < end; i += gridDim.x * kThreads) act((uint4 *)k.state.fallen + i);
}

// Stores the words that peers have sent, after a rank barrier, and clears this rank's bits. Then waits for all blocks.
// Reads 8 B per word, and writes 4 random B.
__device__ __noinline__ inline void take_wanted(Context &k) {
	const State &s = k.state;
	const u32 n = min(s.wanted_end[k.ranks.count - 1], k.graph.non_tree);
	for (u32 i = thread_number<kThreads>(); i < n; i += gridDim.x * kThreads)
		s.distance[s.wanted[i]] = __ldcg(k.frontier(k.at.rounds) + i);
	for_fallen(k, [](uint4 *bits) { *bits = make_uint4(0, 0, 0, 0); });
	grid_barrier(k);
}

// Sends this rank's bits to all peers. Reads a bit per vertex, and writes it to each peer.
__device__ __noinline__ inline void send_fallen(const Context &k) {
	for_fallen(k, [&](uint4 *own) {
		const uint4 bits = __ldcg(own);
		for (u32 j = 1; j < k.ranks.count; j++) *in_window_of(k.ranks, rank_after(k.ranks, j), own) = bits;
	});
}

} // namespace g500::sssp
