// SPDX-License-Identifier: Apache-2.0

// The context that all parts of a shortest-path search share.
#pragma once

#include "common/barriers.cuh"
#include "common/block.cuh"
#include "common/launch.cuh"
#include "common/push.cuh"
#include "common/ranks.cuh"
#include "sssp/graph.cuh"
#include "sssp/state.cuh"

namespace g500::sssp {

// The forms in which the device functions of kernel 3 are compiled.

// One rank; peers, which change each other's memory (owner.cuh); ranks that are not all peers (far.cuh).
struct OneRank {
	static constexpr bool kPeers = false, kFar = false;
};
struct PeerRanks {
	static constexpr bool kPeers = true, kFar = false;
};
struct FarRanks {
	static constexpr bool kPeers = false, kFar = true;
};

// Policy is g500_sssp_policy for one graph.
struct Policy {
	float window; // of distance
	u32 landmarks, sweeps, classes, hinted, part;
	u32 hint_part; // stride of the array of hints per rank: `hinted` between ranks that are not peers, else 0: only own
	               // vertices have hints
	bool rows_later = false; // complete rows are pushed after the push (near_rows.cuh)

	// Whether a vertex has a hint, and the hint's place.
	__device__ bool has_hint(const Graph &g, u32 v) const { return g.local_id(v) < hinted; }
	__device__ u64 hint_at(const Graph &g, u32 v) const { return (u64)(v >> g.shift) * hint_part + g.local_id(v); }
};

// Returns the capacity of a frontier: all vertices outside trees, or the lists of all warps (OpenLists).
__host__ __device__ inline u64 frontier_capacity(u32 non_tree) { return ((u64)non_tree + 31) / 32 * 32; }

// Progress is the progress of a search. It is the same in all blocks.
struct Progress {
	u32 step;     // G500_SSSP_*, for a g500_stall
	u32 blocks;   // that participate in the search
	u32 arrivals; // of blocks at grid barriers, over all searches, after the last barrier
	u32 rounds;   // of pushes, over all searches
	u32 barriers; // of ranks, over all searches
	u32 exchange; // the next one, between ranks that are not peers
	u32 queued;   // vertices in the frontier
	u64 all_queued; // with peers: in the frontiers of all ranks
	float nearest; // shortest distance of a landmark: nearer vertices push their complete rows
	float farthest; // longest distance of all ranks that is not final after the last sweep
	u64 began;     // start of the step, in the first block
	bool failed;
};

// Reach limits a push. Vertices nearer than push_all push all their edges, others only paths below the threshold.
// Vertices reached below the threshold enter the next frontier.
struct Reach {
	float push_all, threshold;
};

// Clock adds up the step's waits for other ranks, in the first block.
struct Clock {
	u64 wait;
};

// Batch is the edges that a block pushes at a time: for each thread a part of a row, or nothing.
struct Batch {
	BlockSum scan;
	u64 before[kThreads];         // edges before each thread's part
	const Col *edges[kThreads];
	u32 vertex[kThreads];
	float distance[kThreads];
	u32 reached; // vertices reached in a tile
	u32 ticket;  // ticket of the first of them; there is no slot for it and later ones if the queue is full
	u32 nearest; // bits of a landmark's distance: a recent RoundCounters.nearest
};

// Waiting is a vertex of the first sweep that needs more than its first edge.
struct Waiting {
	u32 local_id, first_word; // the word at the end of the first edge
};

// ListMemory is the memory of a warp's lists of open vertices (OpenLists): in shared memory, to save registers.
struct ListMemory {
	u32 *vertices;
	uint2 *reach, *edges;
	u32 capacity;
};

// LastQuery is a block's last check of other ranks' progress.
struct LastQuery {
	u64 done;  // with peers: vertices and items done on all ranks at the last query
	u32 turns; // of the block, over all pushes: the block checks now and then whether the push goes on
	Patience patience;
};

// Context is a block's view of a search, in shared memory. It has copies of arguments of the kernel: functions that are
// not inlined would read these by generic loads, after a load of their address. With a copy of the state, the first
// sweep would spill registers, and therefore wait for each vertex that it loads beforehand.
struct Context {
	const Graph graph;
	const State &state;
	const Ranks ranks;
	const Policy policy;

	u64 root; // its label, from the host
	Progress at;
	Batch batch;
	Waiting waiting[kWarps][64]; // by warp, in the first sweep (FirstSweep)
	ListMemory lists[kWarps];    // by warp, in sweeps
	LastQuery last_query;
	Clock clock{};
	Published published; // counters of the next rank barrier
	Collected sums;      // sums of the last one
	bool publishes;      // the block was the last to arrive at a rank barrier
	PairBins bins; // after the context
	u32 *taken;    // by sender, after the bins: items of its queue that the block has taken

	static u64 bytes(u32 ranks) { return sizeof(Context) + PairBins::bytes(ranks) + ranks * sizeof(u32); }

	__device__ Context(const Graph &graph, const State &state, const Ranks &ranks, const Policy &policy)
		: graph(graph), state(state), ranks(ranks), policy(policy) {
		bins.place(this + 1, ranks.count);
		taken = bins.count + ranks.count;
	}

	// Returns the step and round for a g500_stall.
	__device__ g500_stall place() const { return {0, 0, 0, 0, at.step, at.rounds, at.nearest, threshold()}; }

	__device__ RoundCounters *counters(u32 round) const { return state.counters + round % kRounds; }
	__device__ u32 *tickets(u32 round) const { return state.tickets + round % kRounds * ranks.count; }
	__device__ u32 *frontier(u32 round) const { return state.frontiers + round % 2 * state.frontier_space; }
	__device__ float threshold() const { return at.nearest + policy.window; }
	__device__ u32 word(u32 v) const { return __ldcg(state.distance + v); }
};

// Clears the counters of a round.
__device__ inline void reset_round(const Context &k, u32 round) {
	*k.counters(round) = {0, kInfinite, 0, 0};
	for (u32 r = 0; r < k.ranks.count; r++) k.tickets(round)[r] = 0;
}

// Records the current step.
__device__ inline void begin_step(Context &k, u32 step) {
	if (threadIdx.x == 0) k.at.step = step;
}

// Adds a step's times to the trace, and starts the next step.
__device__ inline void record(Context &k, int step) {
	if (!is_first_thread()) return;
	const u64 now = now_ns();
	k.state.trace[step].nanoseconds += now - k.at.began - k.clock.wait;
	k.state.trace[step].exchange += k.clock.wait;
	k.clock.wait = 0;
	k.at.began = now;
}

} // namespace g500::sssp
