// SPDX-License-Identifier: Apache-2.0

// Storing reached vertices: own vertices in the queue of the next frontier, other vertices as pairs (vertex, parent) in
// bins by owner (Merrill et al., PPoPP 2012, section 6.1).
#pragma once

#include "common/ranks.cuh"
#include "search/advance.cuh"
#include "search/form.cuh"

namespace g500 {

// The vertices that a thread has reached along a tile of edges.
template <typename Id>
struct ReachedAs {
	u32 own[kEdgesPerThread]; // entries of this rank's queue, or none
	Id remote[kEdgesPerThread]; // global ids of other ranks' vertices, or none
	u32 label[kEdgesPerThread]; // labels of the parents of `remote`, as in pairs
};
using Reached = ReachedAs<u32>;

struct EmitShared {
	u64 base;
	u32 claimed; // vertices that the block has claimed in this chunk
	bool full;   // some of its pairs did not fit into their buffers
};

// PairSender stores pairs in the buffers for their owners. If a buffer is full, the pair's claim is given up, so that
// this edge or another one claims the vertex in the next round.
struct PairSender {
	const Ranks &ranks;
	const PairBins &bins;
	u32 round;
	ull *sent;   // by rank: counters of the round, then the counter of pairs that did not fit
	u32 *claims; // bitmap

	// Reserves slots in the block's bins.
	template <typename Id>
	__device__ inline void count(const ReachedAs<Id> &reached, u32 (&slot)[kEdgesPerThread]) const {
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++)
			if (!is_none(reached.remote[j])) {
				slot[j] = atomicAdd(&bins.count[rank_of_id(ranks, reached.remote[j])], 1);
			}
	}

	// Reserves places for the block's bins in the ranks' buffers, which have this capacity. Returns whether one of the
	// ranks that this thread handles has a full buffer. Pairs that do not fit are counted separately.
	__device__ inline bool reserve(u64 capacity) const {
		bool full = false;
		for (u32 r = threadIdx.x; r < ranks.count; r += kThreads)
			if (const u32 n = bins.count[r]) {
				const u64 base = atomicAdd(sent + r, (ull)n);
				bins.base[r] = (u32)base;
				bins.count[r] = 0;
				if (base + n <= capacity) continue;
				const ull over = base + n - max(base, capacity);
				atomicAdd(sent + r, ~over + 1);
				atomicAdd(sent + ranks.count, over);
				full = true;
			}
		return full;
	}

	template <typename Id>
	__device__ inline void give_up(Id global_id) const {
		atomicAnd(claims + word_of(global_id), ~(1u << bit_of(global_id)));
	}

	template <typename Id>
	__device__ inline void write(const ReachedAs<Id> &reached, const u32 (&slot)[kEdgesPerThread]) const {
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++)
			if (!is_none(reached.remote[j])) {
				const u32 r = rank_of_id(ranks, reached.remote[j]), local_id = local_id_in(ranks, reached.remote[j]);
				const u64 at = bins.base[r] + slot[j];
				if (at < ranks.round_pairs) send_buffer(ranks, r, round)[at] = (u64)reached.label[j] << 32 | local_id;
				else give_up(reached.remote[j]);
			}
	}
};

// VertexQueue appends the vertices that a block has reached to the queue, in any order, with one atomic per chunk. With
// kSends it also sends the pairs for other ranks. Returns false if a buffer was full.
template <bool kSends>
struct VertexQueue {
	EmitShared &sh;
	u32 *queue;
	ull *queued;
	PairSender sender;

	__device__ VertexQueue(EmitShared &sh, u32 *queue, ull *queued, const PairSender &sender)
		: sh(sh), queue(queue), queued(queued), sender(sender) {
		if (threadIdx.x == 0) sh.claimed = 0, sh.full = false;
		__syncthreads();
	}

	template <typename Id>
	__device__ inline bool operator()(const ReachedAs<Id> &reached) const {
		u32 slot[kEdgesPerThread], remote_slot[kEdgesPerThread];
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++)
			slot[j] = append_by_warp<u32>(__ballot_sync(~0u, reached.own[j] != kNone), &sh.claimed);
		if constexpr (kSends) sender.count(reached, remote_slot);
		__syncthreads();
		if (threadIdx.x == 0 && sh.claimed) {
			sh.base = atomicAdd(queued, (ull)sh.claimed);
			sh.claimed = 0; // for the next chunk
		}
		if (kSends && sender.reserve(sender.ranks.round_pairs)) sh.full = true;
		__syncthreads();
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++)
			if (reached.own[j] != kNone) queue[sh.base + slot[j]] = reached.own[j];
		if constexpr (kSends) sender.write(reached, remote_slot);
		__syncthreads();
		return !kSends || !sh.full;
	}
};

} // namespace g500
