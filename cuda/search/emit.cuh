// Where what has been reached goes: own vertices into the queue of the next frontier, others as pairs of vertex and
// parent into bins, by owner (Merrill et al., PPoPP 2012, section 7).
#pragma once

#include "common/pair_bins.cuh"
#include "common/ranks.cuh"
#include "search/advance.cuh"
#include "search/form.cuh"

namespace g500 {

// What a thread has reached along a tile of edges.
template <typename Id>
struct ReachedAs {
	u32 own[kEdgesPerThread];   // what goes into this rank's queue, or kNone
	Id remote[kEdgesPerThread]; // positions of other ranks' vertices, or none; on several ranks
	u32 label[kEdgesPerThread]; // of the parents of those, as the word that it is in a pair
};
using Reached = ReachedAs<u32>;

struct EmitShared {
	u64 base;
	u32 claimed; // vertices that the block has claimed in this chunk
	bool full;   // some of its pairs have found no room
};

// PairSender puts pairs into the buffers for their owners. One that finds no room there gives up its claim, so that the
// edge, or another to the same vertex, makes it again when it comes once more.
struct PairSender {
	const Ranks &ranks;
	const PairBins &bins;
	u32 round;
	ull *sent;   // by rank: counters of the round; behind them that of pairs without room
	u32 *claims; // bitmap

	// Takes places in the block's bins.
	template <typename Id>
	__device__ inline void count(const ReachedAs<Id> &reached, u32 (&slot)[kEdgesPerThread]) const {
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++)
			if (!is_none(reached.remote[j])) {
				slot[j] = atomicAdd(&bins.count[rank_of_id(ranks, reached.remote[j])], 1);
			}
	}

	// Reserves places for the block's bins, of which a rank's buffer has so many. Returns whether some of those that the
	// thread has reserved are not there: nor are they counted then.
	__device__ inline bool reserve(u64 capacity) const {
		bool full = false;
		for (u32 r = threadIdx.x; r < ranks.count; r += kThreads)
			if (const u32 n = bins.count[r]) {
				const u64 base = atomicAdd(sent + r, (ull)n);
				bins.base[r] = base;
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

// VertexQueue adds what the threads of a block have reached to the queue, in any order, with one atomic a chunk; with
// kSends it also sends the pairs for others. It says whether there was room for all.
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
		if (kSends) sender.count(reached, remote_slot);
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
		if (kSends) sender.write(reached, remote_slot);
		__syncthreads();
		return !kSends || !sh.full;
	}
};

} // namespace g500
