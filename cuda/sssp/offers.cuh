// Offers of ranks that are not peers: a path to a vertex of the receiver.
#pragma once

#include "sssp/push.cuh"

namespace g500::sssp {

// Returns the vertex that has pushed v's distance, or kNone if it is unknown.
__device__ inline u32 pusher_of(const Graph &g, const State &s, const Policy &policy, u32 v, u32 word) {
	const ull hint = policy.has_hint(g, v) ? s.hint[policy.hint_at(g, v)] : ~0ull;
	return (u32)(hint >> 32) == word ? (u32)hint : kNone;
}

// Puts the vertices of offers, except kNone, into the frontier of a round.
template <typename Offers>
__device__ __noinline__ void take(Context &k, const Offers &offers, const Reach &reach, u32 round) {
	const State &s = k.state;
	RoundCounters *counters = k.counters(round);
	RelaxEdges<false> visit{k.graph, s, k.policy, k.ranks, reach, true, 0};
	const u64 threads = (u64)gridDim.x * kThreads, first = thread_number<kThreads>();
	const u64 count = offers.count();
	for (u64 i = first; i < (count + 31) / 32 * 32; i += threads) {
		u32 reached = kNone;
		if (i < count) {
			const uint4 offer = offers.at(i);
			const u32 v = k.graph.base + offer.x;
			if (offer.x != kNone && visit.take(v, offer.y, __uint_as_float(offer.z), round)) reached = v;
		}
		enqueue(reached, k.frontier(round), &counters->queued);
	}
	keep_nearest(k, visit, round);
	grid_barrier(k);
}

} // namespace g500::sssp
