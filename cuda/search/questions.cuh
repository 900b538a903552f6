// Questions between ranks that exchange messages: whether a vertex is visited (ADR 28). They are hub ids of the rank
// that is asked, two a word, with kNone at the end where their number is odd. Answers are bits in the order of the
// questions. Both go as pairs do.
#pragma once

#include "search/exchange_pairs.cuh"

namespace g500 {

// Questions are words of those that one rank has for another.
struct Questions {
	const u64 *words;
	u64 n;
};

// Those in a table that are behind its first words, as many as can be answered in a round.
__device__ inline Questions questions_in(const QuestionTable &table, const Ranks &ranks, u32 rank, u64 first) {
	const u64 begin = table.begin[rank] + first, end = table.begin[rank + 1];
	return {table.words + begin, begin < end ? min(end - begin, 32 * ranks.room) : 0};
}

// Shares out the questions that this rank has for others, or they for it: act(rank, i, word) is called in a warp for
// words 32i to 32i+31, one a lane. Blocks take ranks, or parts of them.
template <typename Of, typename Act>
__device__ inline void for_questions(const Ranks &ranks, Of of, Act act) {
	const u32 lane = lane_of_thread(), parts = max(gridDim.x / ranks.count, 1u);
	for (u32 t = blockIdx.x; t < parts * ranks.count; t += gridDim.x) {
		const u32 r = t % ranks.count;
		if (!gets_messages(ranks, r)) continue;
		const Questions all = of(r);
		for (u64 i = (t / ranks.count * kWarps + threadIdx.x / 32) * 32; i < all.n; i += parts * kThreads)
			act(r, i / 32, i + lane < all.n ? __ldcv((const ull *)all.words + (i + lane)) : ~0ull);
	}
}

// Answers by this rank's part of a bitmap.
template <typename Of>
__device__ inline void answer(const Ranks &ranks, const u32 *part, u32 round, Of of, ull *sent) {
	for_questions(ranks, of, [&](u32 r, u64 i, u64 word) {
		const u32 low = (u32)word, high = (u32)(word >> 32);
		const u32 of_low = __ballot_sync(~0u, low != kNone && test(part, low));
		const u32 of_high = __ballot_sync(~0u, high != kNone && test(part, high));
		if (lane_of_thread() == 0) send_buffer(ranks, r, round)[i] = (u64)of_high << 32 | of_low;
	});
	for (u32 r = threadIdx.x; blockIdx.x == 0 && r < ranks.count; r += kThreads)
		if (gets_messages(ranks, r)) sent[r] = (of(r).n + 31) / 32;
}

// Sets the bits of the vertices that are visited by the answers that have come.
template <typename Id, typename Of>
__device__ inline void take_answers(const Ranks &ranks, u32 *visited, u32 round, Of of) {
	for_questions(ranks, of, [&](u32 r, u64 i, u64 word) {
		const u64 answers = __ldcv((const ull *)receive_buffer(ranks, r, round) + i) >> lane_of_thread();
		const u32 low = (u32)word, high = (u32)(word >> 32);
		if (low != kNone && (answers & 1)) set(visited, (Id)r << ranks.shift | low);
		if (high != kNone && (answers >> 32 & 1)) set(visited, (Id)r << ranks.shift | high);
	});
}

// A round of answers: to what others have asked, and to what this rank has.
template <typename Form, typename Asked, typename Posed>
__device__ inline void exchange_answers(Context<Form> &k, Asked asked, Posed posed) {
	ull *sent = open_round(k);
	u64 began = now_ns();
	answer(k.ranks, k.own_part(k.visited()), k.at.rounds, asked, sent);
	count_exchange(k, began);
	rank_barrier(k, {{nullptr, nullptr, sent}, nullptr, nullptr, kAnswers});
	if (k.at.failed) return;
	began = now_ns();
	close_round(k, sent);
	take_answers<typename Form::Id>(k.ranks, k.visited(), k.at.rounds, posed);
	grid_barrier(k);
	count_exchange(k, began);
}

// Has this rank know of the neighbours of its leaves. The questions are the same in all searches.
template <typename Form>
__device__ __noinline__ void inform_leaves(Context<Form> &k) {
	const Ranks &ranks = k.ranks;
	for (u64 first = 0; first < ranks.leaf_words && !k.at.failed; first += 32 * ranks.room)
		exchange_answers(k, [&](u32 r) { return questions_in(ranks.asked_for_leaves, ranks, r, first); },
		                 [&](u32 r) { return questions_in(ranks.of_leaves, ranks, r, first); });
}

} // namespace g500
