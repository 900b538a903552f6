// What every part of a search for shortest paths is handed.
#pragma once

#include "search/emit.cuh"
#include "search/grid.cuh"
#include "sssp/graph.cuh"
#include "sssp/state.cuh"

namespace g500::sssp {

// Policy is g500_sssp_policy for one graph.
struct Policy {
	float window; // of distance
	u32 landmarks, sweeps, classes, hinted;

	// Whether a vertex has a hint, and where.
	__device__ bool has_hint(const Graph &g, u32 v) const { return g.hub(v) < hinted; }
	__device__ u64 hint_at(const Graph &g, u32 v) const { return (u64)(v >> g.shift) * hinted + g.hub(v); }
};

constexpr u32 kListRoom = 8 * kThreads;

// Progress is what a block knows. It is the same in all blocks.
struct Progress {
	u32 blocks;    // that have a part in the search
	u32 arrivals;  // of them at grid barriers, ever, when all have arrived at the last one
	u32 rounds;    // of pushes, ever
	u32 exchange;  // that comes next, on several ranks
	u32 queued;    // vertices in the frontier
	float nearest; // shortest distance of a landmark: vertices nearer than that push their whole rows
	u64 began;     // when the step began, in the first block
	bool failed;
};

// Reach is how far a push goes. Vertices nearer than whole push all their edges, others as far as paths stay below the
// threshold; and what is reached below the threshold goes into the next frontier.
struct Reach {
	float whole, threshold;
};

// Context is a block's part in a search. It lies in shared memory.
struct Context {
	const Graph &graph;
	const State &state;
	const Ranks &ranks;
	const Policy &policy;

	Progress at;
	AdvanceShared advance;
	EmitShared emit;
	PairBins bins{};
	u32 listed[kListRoom]; // a block's list of vertices
	u32 list_length;

	__device__ Context(const Graph &graph, const State &state, const Ranks &ranks, const Policy &policy)
		: graph(graph), state(state), ranks(ranks), policy(policy) {}

	__device__ RoundCounters *counters(u32 round) const { return state.counters + round % kRounds; }
	__device__ float threshold() const { return at.nearest + policy.window; }
	__device__ u32 word(u32 v) const { return __ldcg(state.distance + v); }
};

// Adds what a step did to the trace, and begins the next one.
__device__ inline void record(Context &k, int step) {
	if (!is_first_thread()) return;
	const u64 now = now_ns();
	k.state.trace[step].nanoseconds += now - k.at.began;
	k.at.began = now;
}

} // namespace g500::sssp
