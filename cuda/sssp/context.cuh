// What every part of a search for shortest paths is handed.
#pragma once

#include "common/barriers.cuh"
#include "common/block_sum.cuh"
#include "common/pair_bins.cuh"
#include "common/push.cuh"
#include "sssp/graph.cuh"
#include "sssp/state.cuh"

namespace g500::sssp {

// Policy is g500_sssp_policy for one graph.
struct Policy {
	float window; // of distance
	u32 landmarks, sweeps, classes, hinted, part;
	u32 hint_part; // of the array of hints, for a rank: hinted where hosts exchange, 0 where a rank has its own alone

	// Whether a vertex has a hint, and where.
	__device__ bool has_hint(const Graph &g, u32 v) const { return g.local_id(v) < hinted; }
	__device__ u64 hint_at(const Graph &g, u32 v) const { return (u64)(v >> g.shift) * hint_part + g.local_id(v); }
};

// Vertices that a frontier has room for: the core, or what all warps have in their lists (OpenLists).
__host__ __device__ inline u64 frontier_capacity(u32 non_tree) { return ((u64)non_tree + 31) / 32 * 32; }

// Progress is what a block knows. It is the same in all blocks.
struct Progress {
	u32 step;     // G500_SSSP_*, for a g500_stall
	u32 blocks;   // that have a part in the search
	u32 arrivals; // of them at grid barriers, ever, when all have arrived at the last one
	u32 rounds;   // of pushes, ever
	u32 barriers; // of ranks, ever
	u32 exchange; // that comes next, where hosts exchange
	u32 queued;   // vertices in the frontier,
	u64 all_queued; // and, among peers, in those of all ranks
	float nearest; // shortest distance of a landmark: vertices nearer than that push their whole rows
	float farthest; // longest distance that is not final after the last sweep, of all ranks
	u64 began;     // when the step began, in the first block
	bool failed;
};

// Reach is how far a push goes. Vertices nearer than whole push all their edges, others as far as paths stay below the
// threshold; and what is reached below the threshold goes into the next frontier.
struct Reach {
	float push_all, threshold;
};

// Clock adds up how long a step has waited for other ranks, in the first block.
struct Clock {
	u64 wait;
};

// Batch is what a block pushes at a time: a part of a row for each thread, or nothing.
struct Batch {
	BlockSum::TempStorage scan;
	u64 before[kThreads];         // edges before each thread's
	const Col *edges[kThreads];
	u32 vertex[kThreads];
	float distance[kThreads];
	u32 reached; // vertices, in a tile,
	u32 ticket;  // and the first one's: there is no slot for it, nor for later ones, where the queue is full
	u32 nearest; // bits of a landmark's distance: RoundCounters.nearest, not long ago
};

// Asked is what a block that takes from a queue knows of others.
struct LastQuery {
	u64 done;  // vertices and items of all ranks, when it asked last, among peers
	u32 turns; // of the block, ever: now and then it looks whether the push goes on
	Patience patience;
};

// Context is a block's part in a search. It lies in shared memory.
struct Context {
	const Graph &graph;
	const State &state;
	const Ranks &ranks;
	const Policy &policy;

	u64 root; // its label, as the host has told it
	Progress at;
	Batch batch;
	LastQuery last_query;
	Clock clock{};
	Published published; // at the next rank barrier
	Collected sums;      // at the last one
	bool publishes;      // the block was the last to arrive at a rank barrier
	PairBins bins; // behind the context

	static u64 bytes(u32 ranks) { return sizeof(Context) + PairBins::bytes(ranks); }

	__device__ Context(const Graph &graph, const State &state, const Ranks &ranks, const Policy &policy)
		: graph(graph), state(state), ranks(ranks), policy(policy) {
		bins.place(this + 1, ranks.count);
	}

	// Where the search is, for a g500_stall.
	__device__ g500_stall place() const { return {0, 0, 0, 0, at.step, at.rounds, at.nearest, threshold()}; }

	__device__ RoundCounters *counters(u32 round) const { return state.counters + round % kRounds; }
	__device__ u32 *frontier(u32 round) const { return state.frontiers + round % 2 * frontier_capacity(graph.non_tree); }
	__device__ float threshold() const { return at.nearest + policy.window; }
	__device__ u32 word(u32 v) const { return __ldcg(state.distance + v); }
};

// Says which step begins.
__device__ inline void begin_step(Context &k, u32 step) {
	if (threadIdx.x == 0) k.at.step = step;
}

// Adds what a step did to the trace, and begins the next one.
__device__ inline void record(Context &k, int step) {
	if (!is_first_thread()) return;
	const u64 now = now_ns();
	k.state.trace[step].nanoseconds += now - k.at.began - k.clock.wait;
	k.state.trace[step].exchange += k.clock.wait;
	k.clock.wait = 0;
	k.at.began = now;
}

} // namespace g500::sssp
