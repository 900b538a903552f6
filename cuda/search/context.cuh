// SPDX-License-Identifier: Apache-2.0

// The context that all parts of a search share.
#pragma once

#include "common/barriers.cuh"
#include "search/emit.cuh"
#include "search/graph.cuh"
#include "search/policy.cuh"
#include "search/state.cuh"
#include "search/sweep.cuh"

namespace g500 {

// Clock measures the parts of a level and counts traffic with other ranks, in the first block.
struct Clock {
	u64 level; // when the level began
	u64 exchange, wait;
	g500_traffic words, pairs, edges_read;

	__device__ void begin(u64 now) { *this = {now}; }
};

// SegmentShared is a block's shared memory in a segmented push.
struct SegmentShared {
	u32 bits[kSegment / 32]; // of the segment's vertices
	u32 next;                // the block's segment
};

// Context is a block's view of one search, in shared memory; one thread updates it. A copy per thread would need too
// many registers, and local memory is slow. Graph, state, ranks and policy refer to kernel arguments.
template <typename Form>
struct Context {
	const Graph &graph;
	const State &state;
	const Ranks &ranks;
	const Policy &policy;

	u64 root; // its label, from the host
	Progress at;
	union { // members of different steps, which never run at the same time
		struct {
			AdvanceShared advance;
			EmitShared emit;
		} push;
		PullShared pull;
		SegmentShared segment;
	};
	Clock clock;
	Published published; // counters of the next rank barrier
	Collected sums;      // sums of the last one
	bool publishes;      // the block was the last to arrive at a rank barrier
	bool all_listed;     // the ranks' reports list all claimed or found vertices
	PairBins bins;       // after the context, because their length depends on the number of ranks

	static u64 bytes(u32 ranks) { return sizeof(Context) + (Form::kMany ? PairBins::bytes(ranks) : 0); }

	__device__ Context(const Graph &graph, const State &state, const Ranks &ranks, const Policy &policy)
		: graph(graph), state(state), ranks(ranks), policy(policy) {
		bins.place(this + 1, ranks.count);
	}

	__device__ u32 *visited() const { return state.visited[at.current]; }
	__device__ u32 *other_visited() const { return state.visited[at.current ^ 1]; }
	__device__ u32 *own_part(u32 *bitmap) const { return Form::kMany ? bitmap + ranks.base / 32 : bitmap; }
	__device__ u32 *swept_part() const { return Form::kMany ? state.next_part : other_visited(); } // output of a sweep
	__device__ Counters *counters(int level) const { return state.counters + level % kRing; }
	__device__ u32 *queue() const { return state.queue[at.queue]; }
	__device__ u32 *next_queue() const { return state.queue[at.queue ^ 1]; }
	__device__ EdgeQueue edge_queue() const { return {queue(), at.offsets, at.queued, at.queued_edges}; }
	__device__ PairSender sender(ull *sent, u32 *claims) const { return {ranks, bins, at.rounds, sent, claims}; }

	__device__ u64 non_leaf() const { return Form::kMany ? ranks.non_leaf : graph.non_leaf; }
	__device__ Facts facts() const {
		return {policy, at, non_leaf(), Form::kMany ? ranks.round_pairs : non_leaf(),
		        Form::kMany ? ranks.count : 1, state.exchange, state.segments.on, state.split_hubs > 0, false, false};
	}

	// Returns the step and level for a g500_stall.
	__device__ g500_stall place() const { return {0, 0, 0, 0, (u32)at.step, (u32)at.level, 0, 0}; }
};

} // namespace g500
