// The counters that a rank publishes at a barrier of all ranks, and their layout: each word contains its own flag.
#pragma once

#include "common/ranks.cuh"

namespace g500 {

// Each word has its barrier's number in the 16 high bits, so a reader detects its arrival. A rank is at most one
// barrier ahead of another, so two sets of words suffice. Words bypass the caches of the multiprocessors; separate
// fences order other memory accesses.
constexpr int kBarrierShift = G500_COUNTER_BITS;
constexpr u64 kCounterMask = (1ull << kBarrierShift) - 1;
constexpr int kEndShift = kBarrierShift - 1;
constexpr u64 kEnd = 1ull << kEndShift; // added to a rank's vertices if its host has requested the end

// PostedAs is the form in which a rank has written bitmap words for messages: a list of words; the replicated words of
// its part; a piece of its part, which replaces the list in memory; or both of the first two, of which it sends the
// shorter one.
enum class PostedAs : u32 { kNoWords, kList, kReplicated, kPiece, kListOrReplicated };

// Posted is returned by a function that has written bitmap words for messages, and decides what is sent.
struct Posted {
	PostedAs as;
	u32 words;         // consecutive words, if not a list
	const ull *listed; // number of words in the list
};

// Published points to a rank's counters; null means 0. kPairs has one counter per rank. Remote ranks on this node
// receive the groups in the shared-memory window, ranks on other nodes the posted words.
struct Published {
	const ull *of[kCounters];
	Posted posted;
	const ull *groups;
	Content content;
	u32 first; // first group of the piece
};

constexpr int kOwnPairs = kCounters, kOwnWords = kCounters + 1; // in Collected: this rank's own counters

// Collected is the sums over all ranks at a barrier, and the pairs and words that this rank has sent.
struct Collected {
	u64 of[kCounters + 2];
	bool failed; // a rank did not publish: the search is over
};

__device__ inline u64 count_of(const ull *counter) { return counter ? read_now(counter) : 0; }

// Returns one of this rank's words, except kPairs.
__device__ inline u64 published_word(const Ranks &ranks, const Published &published, u32 word) {
	const u64 count = count_of(published.of[word]);
	return word == kVertices && *(volatile u32 *)&ranks.barrier->ends ? count | kEnd : count;
}

// Return the address of one rank's words for another: in the receiver's window, or in the sender's shared-memory
// window.
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

// Waits for a word until may_arrive() returns false.
template <typename MayArrive>
__device__ inline bool wait_for_counter(const u64 *at, u32 barrier, u64 &sum, MayArrive may_arrive) {
	for (u32 polls = 1; poll_system(at) >> kBarrierShift != (barrier & 0xffff); polls++)
		if (polls % kPollsPerLook == 0 && !may_arrive()) return false;
	sum = load_acquire_system(at) & kCounterMask; // makes the sender's earlier writes visible
	return true;
}

// Returns whether to wait longer for a rank. `until` is its time limit; 0 means that another thread checks the limit.
__device__ inline bool may_publish(const Ranks &ranks, u32 rank, u64 until) {
	if (has_failed(*ranks.barrier)) return false;
	if (until == 0) return true;
	heed_host(ranks);
	if (now_ns() < until) return true;
	give_up(ranks, {G500_RANK_SILENT, (int)rank});
	return false;
}

} // namespace g500
