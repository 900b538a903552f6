// Exchange of queries, whether vertices are visited, and of replies between ranks on different nodes (ADR 28). Queries
// are the replier's local ids, two per word, with kNone at the end if their number is odd. Replies are bits in the
// order of the queries. Both are sent in the buffers of pairs.
#pragma once

#include "search/exchange_pairs.cuh"

namespace g500 {

// Queries are words of one rank's queries to another.
struct Queries {
	const u64 *words;
	u64 n;
};

// Returns the queries in a table after the first words of a rank, at most as many as fit into a round of replies.
__device__ inline Queries queries_in(const QueryTable &table, const Ranks &ranks, u32 rank, u64 first) {
	const u64 begin = table.begin[rank] + first, end = table.begin[rank + 1];
	return {table.words + begin, begin < end ? min(end - begin, 32 * ranks.round_pairs) : 0};
}

// Distributes the queries of this rank, or those to it, over the blocks: a warp calls act(rank, i, word) for words 32i
// to 32i+31, one per lane.
template <typename Of, typename Act>
__device__ inline void for_queries(const Ranks &ranks, Of of, Act act) {
	const u32 lane = lane_of_thread(), parts = max(gridDim.x / ranks.count, 1u);
	for (u32 t = blockIdx.x; t < parts * ranks.count; t += gridDim.x) {
		const u32 r = t % ranks.count;
		if (!gets_messages(ranks, r)) continue;
		const Queries all = of(r);
		for (u64 i = (t / ranks.count * kWarps + threadIdx.x / 32) * 32; i < all.n; i += parts * kThreads)
			act(r, i / 32, i + lane < all.n ? __ldcv((const ull *)all.words + (i + lane)) : ~0ull);
	}
}

// Replies from this rank's part of a bitmap.
template <typename Of>
__device__ inline void reply(const Ranks &ranks, const u32 *part, u32 round, Of of, ull *sent) {
	for_queries(ranks, of, [&](u32 r, u64 i, u64 word) {
		const u32 low = (u32)word, high = (u32)(word >> 32);
		const u32 of_low = __ballot_sync(~0u, low != kNone && test(part, low));
		const u32 of_high = __ballot_sync(~0u, high != kNone && test(part, high));
		if (lane_of_thread() == 0) send_buffer(ranks, r, round)[i] = (u64)of_high << 32 | of_low;
	});
	for (u32 r = threadIdx.x; blockIdx.x == 0 && r < ranks.count; r += kThreads)
		if (gets_messages(ranks, r)) sent[r] = (of(r).n + 31) / 32;
}

// Sets the bits of the vertices that are visited according to the replies received.
template <typename Id, typename Of>
__device__ inline void take_replies(const Ranks &ranks, u32 *visited, u32 round, Of of) {
	for_queries(ranks, of, [&](u32 r, u64 i, u64 word) {
		const u64 replies = __ldcv((const ull *)receive_buffer(ranks, r, round) + i) >> lane_of_thread();
		const u32 low = (u32)word, high = (u32)(word >> 32);
		if (low != kNone && (replies & 1)) set(visited, (Id)r << ranks.shift | low);
		if (high != kNone && (replies >> 32 & 1)) set(visited, (Id)r << ranks.shift | high);
	});
}

// Exchanges a round of replies: to the received queries, and to this rank's own.
template <typename Form, typename Received, typename Sent>
__device__ inline void exchange_replies(Context<Form> &k, Received received, Sent sent) {
	ull *words = open_round(k);
	u64 began = now_ns();
	reply(k.ranks, k.own_part(k.visited()), k.at.rounds, received, words);
	count_exchange(k, began);
	rank_barrier(k, {{nullptr, nullptr, words}, {}, nullptr, kReplies});
	if (k.at.failed) return;
	began = now_ns();
	close_round(k, words);
	take_replies<typename Form::Id>(k.ranks, k.visited(), k.at.rounds, sent);
	grid_barrier(k);
	count_exchange(k, began);
}

} // namespace g500
