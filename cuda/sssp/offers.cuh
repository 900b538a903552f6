// SPDX-License-Identifier: Apache-2.0

// Offers of ranks that are not peers: a path to a vertex of the receiver.
#pragma once

#include "sssp/far.cuh"
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
	RelaxEdges<FarRanks> visit{k.graph, s, k.policy, k.ranks, reach, true, 0};
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

// ListedOffers are the offers in reports, by rank, with space for the longest list.
struct ListedOffers {
	const Context &k;
	const Far &far;
	const u64 bytes, most;

	__device__ u64 count() const { return most * k.ranks.count; }
	__device__ uint4 at(u64 i) const {
		const u32 r = (u32)(i / most), j = (u32)(i % most);
		if (r == k.ranks.rank || j >= far.report(r, bytes).sums[kListed]) return make_uint4(kNone, 0, 0, 0);
		const Offer offer = far.offers(r, bytes)[j];
		return make_uint4(k.graph.owns(offer.vertex) ? k.graph.local_id(offer.vertex) : kNone, offer.parent, offer.bits, 0);
	}
};

// ReceivedOffers are the offers that were sent to this rank.
struct ReceivedOffers {
	const Context &k;
	const Far &far;
	const u64 most;

	__device__ u64 count() const { return most * k.ranks.count; }
	__device__ uint4 at(u64 i) const {
		const u32 r = (u32)(i / most), j = (u32)(i % most);
		const uint4 *const message = far.received + r * far.space;
		if (r == k.ranks.rank || j >= message->x) return make_uint4(kNone, 0, 0, 0);
		return __ldcs(message + 1 + j);
	}
};

// Returns the offer for a vertex of another rank.
__device__ inline Offer offer_of(const Context &k, u32 v) {
	const u32 word = k.word(v);
	return {v, pusher_of(k.graph, k.state, k.policy, v, word), word & ~kFinal};
}

// Puts offers into the buffers of their owners.
__device__ __noinline__ inline void send_offers(Context &k, const Far &far, u32 offered) {
	const PairBins &bins = k.bins; // by rank: offers of the block, and the place of the first one
	for (u32 r = threadIdx.x; r < k.ranks.count; r += kThreads) bins.count[r] = 0;
	__syncthreads();
	for (u32 begin = blockIdx.x * kThreads; begin < offered; begin += gridDim.x * kThreads) {
		const u32 i = begin + threadIdx.x;
		Offer offer{kNone, 0, 0};
		if (i < offered) offer = offer_of(k, k.state.remote[i]);
		const u32 to = offer.vertex >> k.graph.shift;
		u32 place = 0;
		if (i < offered) place = atomicAdd(bins.count + to, 1u);
		__syncthreads();
		for (u32 r = threadIdx.x; r < k.ranks.count; r += kThreads) {
			bins.base[r] = bins.count[r] ? (u32)atomicAdd(far.sent + r, (ull)bins.count[r]) : 0;
			bins.count[r] = 0;
		}
		__syncthreads();
		const uint4 words = make_uint4(k.graph.local_id(offer.vertex), offer.parent, offer.bits, 0);
		if (i < offered) far.send[to * far.space + 1 + bins.base[to] + place] = words;
		__syncthreads();
	}
}

} // namespace g500::sssp
