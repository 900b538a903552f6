// SPDX-License-Identifier: Apache-2.0

// Exchange with peers: a rank writes bitmap words into the peers' windows, and the next rank barrier makes them
// visible.
#pragma once

#include "search/context.cuh"
#include "search/trace.cuh"

namespace g500 {

constexpr u32 kGroupWords = sizeof(uint4) / sizeof(u32);

// Sends a group of 16 bytes to all peers and to this rank's own copy if it differs from that. The copy equals the
// peers' data: it was filled with the same words two levels ago. Returns the words sent to each peer.
__device__ inline u32 send_group(const Ranks &ranks, u64 bitmap, u64 group, const uint4 &fresh) {
	uint4 *own = in_window<uint4>(ranks, ranks.rank, bitmap) + ranks.base / kGroup + group;
	if (is_same(fresh, *own)) return 0;
	*own = fresh;
	for (u32 i = 1; i < ranks.count; i++) {
		in_window<uint4>(ranks, rank_after(ranks, i), bitmap)[ranks.base / kGroup + group] = fresh;
	}
	return kGroupWords;
}

// Sends all peers the words that a sweep of the block has changed.
__device__ __noinline__ inline void send_swept(const Graph &g, const State &s, const Ranks &ranks, u64 bitmap,
                                               ull *words) {
	u32 sent = 0;
	for_swept_groups(g, [&](u64 group) {
		sent += send_group(ranks, bitmap, group, __ldcg((const uint4 *)s.next_part + group));
	});
	sent = warp_sum(sent);
	if (lane_of_thread() == 0 && sent) atomicAdd(words, (ull)sent);
}

// Sends the peers this rank's part of the visited bitmap, of which they know only the bits they have set here. Words
// that have always been empty are left out. Returns the words that this thread has sent to each peer.
template <typename Form>
__device__ __noinline__ u32 send_visited(const Context<Form> &k) {
	const Ranks &ranks = k.ranks;
	const uint4 *part = (const uint4 *)k.own_part(k.visited());
	const u32 groups = k.graph.padded / kGroup;
	u32 sent = 0;
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < groups; i += gridDim.x * kThreads) {
		const uint4 words = __ldcg(part + i);
		if (!k.at.swept && !any_set(words)) continue;
		for (u32 r = 0; r < ranks.count; r++) {
			if (r == ranks.rank) continue;
			in_window<uint4>(ranks, r, ranks.at.visited[k.at.current])[ranks.base / kGroup + i] = words;
		}
		sent += kGroupWords;
	}
	return sent;
}

// Rounds of pairs between ranks, and the distribution of received pairs over threads. Pairs are sent as they are
// emitted (emit.cuh). A round ends when all edges are processed or each block has met a full buffer.

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
	if (is_first_thread()) add(k.clock.pairs, k.sums.of[kOwnPairs], k.sums.of[kPairs]);
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
	using Label = typename Form::Label;
	using Edge = EdgeOf<Id, Label>;

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
			tile[j] = {label_from<Label>((u32)(at.pair >> 32), at.from), (Id)ranks.base + (u32)at.pair};
		}
		chunk += (u64)gridDim.x * kChunk;
		return true;
	}
};

} // namespace g500
