// What a rank publishes at a barrier of all ranks, and how it lies in memory: words that are their own flags.
#pragma once

#include "common/ranks.cuh"

namespace g500 {

// Each word carries its barrier's number in the 16 high bits, so that a reader sees by itself whether it has come. No
// rank can be more than one barrier ahead of another, so that two sets of words are enough. Words are written and read
// one by one, past the caches of the multiprocessors; fences beside them order the rest.
constexpr int kBarrierShift = G500_COUNTER_BITS;
constexpr u64 kCounterMask = (1ull << kBarrierShift) - 1;
constexpr int kEndShift = kBarrierShift - 1;
constexpr u64 kEnd = 1ull << kEndShift; // added to a rank's vertices if its host wants the search to end

// Published is where a rank's counters are, by word; null for nothing. Of pairs there is a counter for each rank.
// Remote ranks that share memory get the groups in the shared-memory window. Those that get messages get the listed
// words, or, if those are too many or there is no list, the replicated part of the bitmap, or a piece of this rank's
// part.
struct Published {
	const ull *of[kCounters], *listed, *groups;
	Content content;
	u32 first; // group with which the piece begins
};

constexpr int kOwnPairs = kCounters, kOwnWords = kCounters + 1; // in Collected: this rank's own part

// Collected is what all ranks together have published at a barrier, and of pairs and words what this rank has sent.
struct Collected {
	u64 of[kCounters + 2];
	bool failed; // a rank did not answer: the search is over
};

__device__ inline u64 count_of(const ull *counter) { return counter ? read_now(counter) : 0; }

// What a rank publishes as one of its words, but for pairs.
__device__ inline u64 published_word(const Ranks &ranks, const Published &published, u32 word) {
	const u64 count = count_of(published.of[word]);
	return word == kVertices && *(volatile u32 *)&ranks.barrier->ends ? count | kEnd : count;
}

// Where the words of one rank for another lie: in the window of the latter, or in the shared-memory window of the
// former.
__device__ inline u64 *counters_in_window(const Ranks &ranks, unsigned char *window, u32 from, u32 barrier) {
	return reinterpret_cast<u64 *>(window + ranks.at.counters) + ((u64)(barrier & 1) * ranks.count + from) * kCounters;
}

__device__ inline u64 *counters_in_shared_window(const Ranks &ranks, u32 of_rank, u32 to, u32 barrier) {
	const u64 place = ((u64)(barrier & 1) * ranks.count + to) * kCounters;
	return in_shared_window<u64>(ranks, of_rank, ranks.shared_at.counters) + place;
}

__device__ inline void store_counter(u64 *at, u32 barrier, u64 sum) {
	store_system(at, (u64)barrier << kBarrierShift | sum);
}

// Waits for a word while there is any use in it.
template <typename MayArrive>
__device__ inline bool wait_for_counter(const u64 *at, u32 barrier, u64 &sum, MayArrive may_arrive) {
	for (u32 polls = 1; poll_system(at) >> kBarrierShift != (barrier & 0xffff); polls++)
		if (polls % kPollsPerLook == 0 && !may_arrive()) return false;
	sum = load_acquire_system(at) & kCounterMask; // what was written before it is to be seen from then on
	return true;
}

// Whether to wait any longer for a rank that has until then to answer; 0 leaves it to others to give it up.
__device__ inline bool may_publish(const Ranks &ranks, u32 rank, u64 until) {
	if (has_failed(*ranks.barrier)) return false;
	if (until == 0) return true;
	heed_host(ranks);
	if (now_ns() < until) return true;
	give_up(ranks, {G500_RANK_SILENT, (int)rank});
	return false;
}

} // namespace g500
