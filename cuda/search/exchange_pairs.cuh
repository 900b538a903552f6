// Rounds of pairs between ranks, and the distribution of received pairs over threads. Pairs are sent as they are
// emitted (emit.cuh). A round ends when all edges are processed or each block has met a full buffer.
#pragma once

#include "search/trace.cuh"

namespace g500 {

// Begins a round of pairs, with empty bins. Returns its counters: pairs by rank, then pairs that did not fit.
template <typename Form>
__device__ ull *open_round(Context<Form> &k) {
	for (u32 r = threadIdx.x; r < k.ranks.count; r += kThreads) k.bins.count[r] = 0;
	by_one_thread([&] { k.at.rounds++; });
	const Ranks &ranks = k.ranks;
	const u32 counters = ranks.count + 1;
	ull *last = ranks.sent + (~k.at.rounds & 1) * counters;
	if (blockIdx.x == 0)
		for (u32 i = threadIdx.x; i < counters; i += kThreads) last[i] = 0;
	return ranks.sent + (k.at.rounds & 1) * counters;
}

// Replaces the numbers of received pairs by their prefix sums over the ranks.
template <typename Form>
__device__ void add_up_received(Context<Form> &k) {
	by_one_thread([&] {
		for (u32 r = 1; r < k.ranks.count; r++) k.bins.upto[r] += k.bins.upto[r - 1];
	});
}

// Counts the received pairs.
template <typename Form>
__device__ void close_round(Context<Form> &k) {
	count_pairs(k);
	add_up_received(k);
}

// PairAt is received pair number i of a round, its sender, and its place among the sender's.
struct PairAt {
	u32 from, place;
	u64 pair;

	__device__ PairAt(const Ranks &ranks, const PairBins &bins, u32 round, u32 i)
		: from(sender_of(bins.upto, ranks.count, i)), place(i - (from ? bins.upto[from - 1] : 0)),
		  pair(__ldcv((const ull *)receive_buffer(ranks, from, round) + place)) {}
};

// ByPair distributes the received pairs of a round like edges, whose `from` is a label. Reads 8 B per pair.
template <typename Form>
struct ByPair {
	using Id = typename Form::Id;
	using Edge = EdgeOf<Id>;

	const Ranks &ranks;
	const PairBins &bins;
	u32 round, total;
	u64 chunk;

	__device__ ByPair(const Ranks &ranks, const PairBins &bins, u32 round)
		: ranks(ranks), bins(bins), round(round), total(bins.upto[ranks.count - 1]), chunk((u64)blockIdx.x * kChunk) {}

	__device__ inline bool next(Edge (&tile)[kEdgesPerThread]) {
		if (chunk >= total) return false;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const u64 i = chunk + j * kThreads + threadIdx.x;
			tile[j] = {0, kNoId<Id>};
			if (i >= total) continue;
			const PairAt at(ranks, bins, round, (u32)i);
			tile[j] = {label_from<Id>((u32)(at.pair >> 32), at.from), (Id)ranks.base + (u32)at.pair};
		}
		chunk += (u64)gridDim.x * kChunk;
		return true;
	}
};

} // namespace g500
