// Messages between ranks whose hosts exchange them: a vertex of the receiver has become nearer.
#pragma once

#include "sssp/push.cuh"

namespace g500::sssp {

// Returns the vertex that has pushed v's distance, or kNone if it is unknown.
__device__ inline u32 pusher_of(const Graph &g, const State &s, const Policy &policy, u32 v, u32 word) {
	const ull hint = policy.has_hint(g, v) ? s.hint[policy.hint_at(g, v)] : ~0ull;
	return (u32)(hint >> 32) == word ? (u32)hint : kNone;
}

// Puts the vertices of messages into the frontier of a round.
template <typename Messages>
__device__ __noinline__ void take(Context &k, const Messages &messages, const Reach &reach, u32 round) {
	const State &s = k.state;
	RoundCounters *counters = k.counters(round);
	RelaxEdges<false> visit{k.graph, s, k.policy, k.ranks, reach, true, 0};
	const u64 threads = (u64)gridDim.x * kThreads, first = thread_number<kThreads>();
	const u64 count = messages.count();
	for (u64 i = first; i < (count + 31) / 32 * 32; i += threads) {
		u32 reached = kNone;
		if (i < count) {
			const uint4 m = messages.at(i);
			const u32 v = k.graph.base + m.x;
			if (visit.take(v, m.y, __uint_as_float(m.z), round)) reached = v;
		}
		enqueue(reached, k.frontier(round), &counters->queued);
	}
	keep_nearest(k, visit, round);
	grid_barrier(k);
}

} // namespace g500::sssp
