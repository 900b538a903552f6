// Rounds in which each vertex of a frontier relaxes its edges (Bellman-Ford with a frontier), as far as they reach.
#pragma once

#include "sssp/relax.cuh"

namespace g500::sssp {

// Adds what the lanes know of landmarks to a round.
__device__ inline void keep_nearest(const RelaxEdges &visit, RoundCounters *round) {
	const u32 nearest = warp_min(visit.nearest);
	if (lane_of_thread() == 0 && nearest < kInfinite) atomicMin(&round->nearest, nearest);
}

// ReachedLists takes what has been reached: own vertices into the next frontier, others into the list of those.
struct ReachedLists {
	const VertexQueue<false> &frontier;
	const State &s;
	const bool several; // ranks

	__device__ inline bool operator()(const Reached &reached) const {
		frontier(reached);
#pragma unroll
		for (int j = 0; several && j < kEdgesPerThread; j++) enqueue(reached.remote[j], s.remote, &s.totals->remote);
		return true; // both have room for all vertices
	}
};

// One round. A barrier is between the numbering of the frontier's edges and their relaxation, and one behind that.
__device__ __noinline__ inline void push_round(Context &k, const Reach &reach, int step) {
	const State &s = k.state;
	RoundCounters *c = k.counters(k.at.rounds), *next = k.counters(k.at.rounds + 1);
	if (is_first_thread()) *k.counters(k.at.rounds + 2) = {0, 0, kInfinite};
	const ReachedRows rows{k.graph, s, reach};
	number_edges(rows, k.advance, Numbering{s.frontier, k.at.queued, s.numbered, s.offsets, &c->numbered});
	grid_barrier(k);
	if (k.at.failed) return;
	const u64 numbered = read_now(&c->numbered), edges = numbered & kEdgeMask;
	const EdgeQueue queue{s.numbered, s.offsets, (u32)(numbered >> kEdgeBits), edges};
	ByBlock<ReachedRows> advance(rows, k.advance, queue);
	RelaxEdges visit{k.graph, s, k.policy, reach, k.at.rounds + 1, k.at.exchange};
	const PairSender nobody{k.ranks, k.bins, 0, nullptr, nullptr};
	const VertexQueue<false> frontier(k.emit, s.frontier, &next->queued, nobody);
	push(advance, visit, ReachedLists{frontier, s, k.ranks.count > 1});
	keep_nearest(visit, next);
	if (is_first_thread()) {
		g500_sssp_step &trace = s.trace[step];
		trace.rounds++;
		trace.vertices += k.at.queued;
		trace.edges += edges;
	}
	grid_barrier(k);
}

// Takes over what a round has left for the next one.
__device__ inline void next_round(Context &k) {
	alone([&] {
		RoundCounters *next = k.counters(++k.at.rounds);
		k.at.queued = (u32)read_now(&next->queued);
		k.at.nearest = fminf(k.at.nearest, __uint_as_float(*(volatile u32 *)&next->nearest));
	});
}

// Pushes until no vertex within the window of the nearest landmark changes any more. Before a landmark is reached,
// whole rows are pushed.
__device__ __noinline__ inline void push_window(Context &k) {
	while (k.at.queued > 0 && !k.at.failed) {
		push_round(k, {k.at.nearest, k.threshold()}, G500_SSSP_PUSH);
		next_round(k);
	}
}

// Pushes what has changed in the last sweep, until nothing changes any more. No distance beyond the farthest one that
// is not final can fall.
__device__ __noinline__ inline void push_rest(Context &k, float farthest) {
	const Reach reach{0, farthest};
	while (k.at.queued > 0 && !k.at.failed) {
		push_round(k, reach, G500_SSSP_PUSH_REST);
		next_round(k);
	}
}

} // namespace g500::sssp
