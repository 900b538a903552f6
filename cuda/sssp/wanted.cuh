// SPDX-License-Identifier: Apache-2.0

// Among peers, distances of vertices with short rows are read by few: by other ranks' vertices whose first edges lead
// there. So a rank lists, once, the ends of first edges of which it does not get all distances, class by class
// (send_words). After the first sweep their owners send these distances, packed in the order of the list. The first
// further sweep reads other distances where the owners have them. Each later one so reads the vertices whose distances
// fell in the sweep before, of which all ranks have the bits.
#pragma once

#include "common/check.cuh"
#include "sssp/open_lists.cuh"
#include "sssp/owner.cuh"

struct g500_sssp;

namespace g500::sssp {

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

// Returns the bitmap of vertices, by global id, whose distances have fallen in a further sweep.
__device__ inline u32 *changed_in(const Context &k, u32 sweep) {
	return k.state.changed + (sweep & 1) * ((u64)k.ranks.count << k.graph.shift) / 32;
}

// Calls act(i) for the units of 16 bytes of this rank's vertices outside trees in such a bitmap.
template <typename Act>
__device__ inline void for_own_bits(const Context &k, Act act) {
	const u32 begin = k.graph.base / kGroup, end = begin + (k.graph.own_non_tree + kGroup - 1) / kGroup;
	for (u32 i = begin + thread_number<kThreads>(); i < end; i += gridDim.x * kThreads) act(i);
}

// Clears this rank's bits before a further sweep.
__device__ inline void clear_changed(const Context &k, u32 sweep) {
	uint4 *const bits = (uint4 *)changed_in(k, sweep);
	for_own_bits(k, [=](u32 i) { bits[i] = make_uint4(0, 0, 0, 0); });
}

// Sends this rank's bits of a further sweep to all peers, and waits at a rank barrier. Reads a bit per vertex, and
// writes it to each peer.
__device__ __noinline__ inline void send_changed(Context &k) {
	uint4 *const own = (uint4 *)changed_in(k, k.at.sweep);
	for_own_bits(k, [&](u32 i) {
		const uint4 bits = __ldcg(own + i);
		for (u32 j = 1; j < k.ranks.count; j++) in_window_of(k.ranks, rank_after(k.ranks, j), own)[i] = bits;
	});
	clear_changed(k, k.at.sweep + 1);
	rank_barrier(k, Published{});
}

// Stores the words that peers have sent, after a rank barrier. Then waits for all blocks. Reads 8 B per word, and
// writes 4 random B.
__device__ __noinline__ inline void take_wanted(Context &k) {
	clear_changed(k, 1);
	const State &s = k.state;
	const u32 n = min(s.wanted_end[k.ranks.count - 1], k.graph.non_tree);
	for (u32 i = thread_number<kThreads>(); i < n; i += gridDim.x * kThreads)
		s.distance[s.wanted[i]] = __ldcg(k.frontier(k.at.rounds) + i);
	grid_barrier(k);
}

// LastWords returns the words of vertices in a further sweep, with peers.
struct LastWords {
	const Context &k;
	const u32 *const stale; // bitmap by global id: the owner may have a lower distance than this rank's copy

	__device__ inline explicit LastWords(const Context &k)
		: k(k), stale(k.at.sweep == 1 ? k.state.unsent : changed_in(k, k.at.sweep - 1)) {}

	__device__ inline u32 operator()(u32 v) const {
		const u32 word = k.word(v);
		return is_final(word) || k.graph.owns(v) || !test(stale, v) ? word : owners_word(k.state, k.graph, v);
	}
};

} // namespace g500::sssp
