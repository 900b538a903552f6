// Rounds of pairs between ranks, and how those that have come are shared out to threads. Pairs are sent as they are
// emitted (emit.cuh); a round ends when all edges have been looked at, or each block has met a buffer that is full.
#pragma once

#include "search/trace.cuh"

namespace g500 {

// Begins a round of pairs. Returns where they are counted: by rank, and behind them those without room.
template <typename Form>
__device__ ull *open_round(Context<Form> &k) {
	alone([&] { k.at.rounds++; });
	const Ranks &ranks = k.ranks;
	const u32 counters = ranks.count + 1;
	ull *last = ranks.sent + (~k.at.rounds & 1) * counters;
	if (blockIdx.x == 0)
		for (u32 i = threadIdx.x; i < counters; i += kThreads) last[i] = 0;
	return ranks.sent + (k.at.rounds & 1) * counters;
}

// Counts the pairs that have come, and sums them over the ranks up to each.
template <typename Form>
__device__ void close_round(Context<Form> &k, const ull *sent) {
	count_pairs(k, sent);
	alone([&] {
		for (u32 r = 1; r < k.ranks.count; r++) k.bins.upto[r] += k.bins.upto[r - 1];
	});
}

// PairAt is the pair with this number among all that have come in a round, and the rank that has sent it.
struct PairAt {
	u32 from;
	u64 pair;

	__device__ PairAt(const Ranks &ranks, const PairBins &bins, u32 round, u32 i)
		: from(sender_of(bins.upto, ranks.count, i)),
		  pair(__ldcv((const ull *)receive_buffer(ranks, from, round) + (i - (from ? bins.upto[from - 1] : 0)))) {}
};

// ByPair shares the pairs that have come in a round out like edges that leave a label. Reads 8 B a pair.
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
