// What ranks tell each other at the barriers of all ranks. The last block of a rank to come speaks for it: it writes mail into
// the windows of its peers, and of this rank. All blocks wait there until the mail of all ranks has come. What each rank wrote
// before, in its own memory or its peers', all can read afterwards. Ranks that are no peers leave mail in host memory, from
// where the block that speaks brings it into the window.
//
// No rank can be more than one barrier ahead of another, so that two sets of mail are enough.
#pragma once

#include "search/world.cuh"

namespace g500 {

constexpr int kOwnPairs = kNews, kOwnWords = kNews + 1; // in news: this rank's own part

// News is what all ranks together have told at a barrier, and of pairs and words what this rank has told each.
struct News {
	u64 of[kNews + 2];
	bool failed; // a rank did not answer: the search is over
};

// Where the mail of one rank for another lies in the window of the latter, or on the board of the former.
__device__ inline u64 *mail_in(const World &w, unsigned char *window, u32 from, u32 turn) {
	return reinterpret_cast<u64 *>(window + w.at.mail) + ((u64)(turn & 1) * w.ranks + from) * kNews;
}

__device__ inline u64 *mail_on_board(const World &w, u32 of_rank, u32 to, u32 turn) {
	return on_board<u64>(w, of_rank, w.board.mail) + ((u64)(turn & 1) * w.ranks + to) * kNews;
}

// Mail is written and read word by word, past the caches of the multiprocessors. Fences beside it order the rest.
__device__ inline void store_word(u64 *at, u32 turn, u64 told) { store_far(at, (u64)turn << kTagShift | told); }

// Waits for a word of mail while it makes sense.
template <typename Sense>
__device__ inline bool await_word(const u64 *at, u32 turn, u64 &told, Sense makes_sense) {
	for (u32 polls = 1; look_far(at) >> kTagShift != (turn & 0xffff); polls++)
		if (polls % 256 == 0 && !makes_sense()) return false;
	told = load_acquire_far(at) & kNewsMask; // what was written before it is to be seen from then on
	return true;
}

// What this rank tells: places of counters, null for nothing, by word of the mail. Of pairs there is a counter for each rank.
// Ranks that are no peers get the groups on the board; or in messages the listed words, or, if those are too many or none are
// listed, the whole part of the bitmap.
struct Report {
	const ull *of[kNews], *listed, *groups;
};

__device__ inline u64 count_of(const ull *counter) { return counter ? read_now(counter) : 0; }

// A warp writes and reads the mail of so many ranks at once, a word with each lane.
constexpr u32 kMailsAtOnce = 32 / kNews;
__device__ inline u32 word_of_lane() { return (threadIdx.x & 31) % kNews; }
__device__ inline u32 rank_of_lane() { return (threadIdx.x & 31) / kNews; } // the last lanes have none

// Sum of the numbers of the lanes that have the same word.
__device__ inline u64 sum_by_word(u64 x) {
	u64 sum = 0;
#pragma unroll
	for (u32 i = 0; i < kMailsAtOnce; i++) sum += __shfl_sync(~0u, x, i * kNews + word_of_lane());
	return sum;
}

__device__ __noinline__ void post_letters(const World &w, const Report &report, u32 turn);
__device__ __noinline__ void fetch_mail(const World &w, u32 turn, u64 pairs); // both in search_hosted.cuh

// Tells every peer, every reader of the board, and this rank itself, what the report says. A warp does it, for the whole
// rank. The mail to this rank itself has all its pairs.
__device__ inline void speak(const World &w, const Report &report, u32 turn) {
	const u32 word = word_of_lane();
	const bool is_pairs = word == kPairs;
	u64 told = is_pairs ? 0 : count_of(report.of[word]), pairs = 0;
	for (u32 r0 = 0; r0 < w.ranks; r0 += kMailsAtOnce) {
		const u32 r = r0 + rank_of_lane();
		const bool other = rank_of_lane() < kMailsAtOnce && r < w.ranks && r != w.rank;
		unsigned char *window = other ? w.windows[r] : nullptr;
		if (is_pairs) told = other && report.of[kPairs] ? read_now(report.of[kPairs] + r) : 0;
		if (is_pairs) pairs += told;
		if (r0 == 0) fence_far(); // while the numbers are on their way
		if (window) store_word(mail_in(w, window, w.rank, turn) + word, turn, told);
		else if (other && w.boards[r]) store_word(mail_on_board(w, w.rank, r, turn) + word, turn, word == kWords ? count_of(report.groups) : told);
	}
	pairs = sum_by_word(pairs);
	if (w.carried.post) post_letters(w, report, turn);
	else if ((threadIdx.x & 31) < kNews) store_word(mail_in(w, w.window, w.rank, turn) + word, turn, is_pairs ? pairs : told);
	if (w.apart) fetch_mail(w, turn, pairs);
}

// Ends the waiting of all blocks of this rank.
__device__ inline void give_up(const World &w) { *(volatile u32 *)&w.meeting->failed = 1; }

// Whether to wait any longer for a rank that has until then to answer; 0 leaves it to others to give it up.
__device__ inline bool may_answer(const World &w, u32 rank, u64 until) {
	if (*(const volatile u32 *)&w.meeting->failed) return false;
	if (until == 0 || now_ns() < until) return true;
	*(volatile int *)w.failure = 1 + (int)rank;
	give_up(w);
	return false;
}

// Waits for the mail of all ranks, with a warp, and adds it up. A block that speaks for its rank gives one up that lets this
// barrier wait too long. Where pairs are told, those from each rank are kept.
__device__ inline void listen(const World &w, News &news, u32 turn, u32 *pairs, bool speaks) {
	const u32 word = word_of_lane();
	const u64 until = speaks ? now_ns() + w.patience : 0;
	u64 sum = 0;
	bool heard = true;
	for (u32 r0 = 0; r0 < w.ranks && heard; r0 += kMailsAtOnce) {
		const u32 r = r0 + rank_of_lane();
		u64 told = 0;
		if (rank_of_lane() < kMailsAtOnce && r < w.ranks) {
			heard = await_word(mail_in(w, w.window, r, turn) + word, turn, told, [&] { return may_answer(w, r, until); });
			if (r == w.rank && word == kWords) news.of[kOwnWords] = told;
			if (r == w.rank && word == kPairs) {
				news.of[kOwnPairs] = told;
				told = 0;
			}
			if (pairs && word == kPairs) pairs[r] = (u32)told;
		}
		sum += told;
		heard = __all_sync(~0u, heard);
	}
	sum = sum_by_word(sum);
	if ((threadIdx.x & 31) < kNews) news.of[word] = sum;
	if ((threadIdx.x & 31) == 0) news.failed = !heard;
}

} // namespace g500
