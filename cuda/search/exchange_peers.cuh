// Exchange with peers: a rank writes bitmap words into the peers' windows, and the next rank barrier makes them
// visible.
#pragma once

#include "search/context.cuh"

namespace g500 {

constexpr u32 kGroupWords = sizeof(uint4) / sizeof(u32);

// Sends a group of 16 bytes to all peers and to this rank's own copy if it differs from that. The copy equals the
// peers' data: it was filled with the same words two levels ago. Returns the words sent to each peer.
__device__ inline u32 send_group(const Ranks &ranks, u64 bitmap, u64 group, const uint4 &fresh) {
	uint4 *own = in_window<uint4>(ranks, ranks.rank, bitmap) + ranks.base / kGroup + group;
	if (is_same(fresh, *own)) return 0;
	*own = fresh;
	for (u32 i = 1; i < ranks.count; i++) {
		in_window<uint4>(ranks, rank_after(ranks, i), bitmap)[ranks.base / kGroup + group] = fresh;
	}
	return kGroupWords;
}

// Sends all peers the words that a sweep of the block has changed.
__device__ __noinline__ inline void send_swept(const Graph &g, const State &s, const Ranks &ranks, u64 bitmap,
                                               ull *words) {
	u32 sent = 0;
	for_swept_groups(g, [&](u64 group) {
		sent += send_group(ranks, bitmap, group, __ldcg((const uint4 *)s.next_part + group));
	});
	sent = warp_sum(sent);
	if (lane_of_thread() == 0 && sent) atomicAdd(words, (ull)sent);
}

// Sends the peers this rank's part of the visited bitmap, of which they know only the bits they have set here. Words
// that have always been empty are left out. Returns the words that this thread has sent to each peer.
template <typename Form>
__device__ __noinline__ u32 send_visited(const Context<Form> &k) {
	const Ranks &ranks = k.ranks;
	const uint4 *part = (const uint4 *)k.own_part(k.visited());
	const u32 groups = k.graph.padded / kGroup;
	u32 sent = 0;
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < groups; i += gridDim.x * kThreads) {
		const uint4 words = __ldcg(part + i);
		if (!k.at.swept && !any_set(words)) continue;
		for (u32 r = 0; r < ranks.count; r++) {
			if (r == ranks.rank) continue;
			in_window<uint4>(ranks, r, ranks.at.visited[k.at.current])[ranks.base / kGroup + i] = words;
		}
		sent += kGroupWords;
	}
	return sent;
}

} // namespace g500
