// Publishing counters at a barrier of all ranks, and collecting their sums. The last block of a rank to arrive writes
// the rank's counters into the windows of its peers and its own. All blocks then wait for the counters of all ranks.
// Earlier writes of all ranks, to their own memory or their peers', are visible afterwards.
#pragma once

#include "common/published.cuh"

namespace g500 {

// A warp writes and reads the counters of this many ranks at a time, one counter per lane.
constexpr u32 kRanksAtOnce = 32 / kCounters;
__device__ inline u32 counter_of_lane() { return lane_of_thread() % kCounters; }
__device__ inline u32 rank_of_lane() { return lane_of_thread() / kCounters; } // the last lanes have no rank

// Returns the sum over the lanes that have the same counter.
__device__ inline u64 sum_by_counter(u64 x) {
	u64 sum = 0;
#pragma unroll
	for (u32 i = 0; i < kRanksAtOnce; i++) sum += __shfl_sync(~0u, x, i * kCounters + counter_of_lane());
	return sum;
}

// Publishes this rank's counters to all peers, and to this rank itself, which receives the sum of its pairs. Called by
// one warp per rank.
__device__ inline void publish(const Ranks &ranks, const Published &published, u32 barrier) {
	const u32 word = counter_of_lane();
	const bool is_pairs = word == kPairs;
	u64 own = is_pairs ? 0 : published_word(ranks, published, word), pairs = 0;
	for (u32 r0 = 0; r0 < ranks.count; r0 += kRanksAtOnce) {
		const u32 r = r0 + rank_of_lane();
		const bool other = rank_of_lane() < kRanksAtOnce && r < ranks.count && r != ranks.rank;
		if (is_pairs) own = other && published.of[kPairs] ? read_now(published.of[kPairs] + r) : 0;
		if (is_pairs) pairs += own;
		if (r0 == 0) fence_system();
		if (other) store_counter(counters_in_window(ranks, ranks.windows[r], ranks.rank, barrier) + word, barrier, own);
	}
	pairs = sum_by_counter(pairs);
	if (lane_of_thread() >= kCounters) return;
	u64 *at = counters_in_window(ranks, ranks.window, ranks.rank, barrier);
	store_counter(at + word, barrier, is_pairs ? pairs : own);
}

// Waits for the counters of all ranks, with one warp, and adds them up. Stores the pairs from each rank in `pairs`,
// unless that is null. A block that has published gives up the search if a rank exceeds the time limit. If the host of
// any rank has requested the end, the barrier fails on all ranks.
__device__ inline void collect(const Ranks &ranks, Collected &sums, u32 barrier, u32 *pairs, bool publishes) {
	const u32 word = counter_of_lane();
	const u64 until = publishes ? now_ns() + ranks.wait_ns : 0;
	u64 sum = 0;
	bool arrived = true;
	for (u32 r0 = 0; r0 < ranks.count && arrived; r0 += kRanksAtOnce) {
		const u32 r = r0 + rank_of_lane();
		u64 one = 0;
		if (rank_of_lane() < kRanksAtOnce && r < ranks.count) {
			const u64 *at = counters_in_window(ranks, ranks.window, r, barrier) + word;
			arrived = wait_for_counter(at, barrier, one, [&] { return may_publish(ranks, r, until); });
			if (r == ranks.rank && word == kWords) sums.of[kOwnWords] = one;
			if (r == ranks.rank && word == kPairs) {
				sums.of[kOwnPairs] = one;
				one = 0;
			}
			if (pairs && word == kPairs) pairs[r] = (u32)one;
		}
		sum += one;
		arrived = __all_sync(~0u, arrived);
	}
	sum = sum_by_counter(sum);
	if (lane_of_thread() < kCounters) sums.of[word] = sum;
	if (lane_of_thread() > 0) return;
	sums.failed = !arrived || sum >= kEnd;
	if (arrived && sum >= kEnd && publishes) give_up(ranks, {G500_HOST_REQUESTED});
}

} // namespace g500
