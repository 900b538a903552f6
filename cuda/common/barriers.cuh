// SPDX-License-Identifier: Apache-2.0

// The barriers of one rank's blocks and of all ranks, called by all threads of a block. The context of a search has the
// members ranks, at.blocks, at.arrivals and at.failed, and place(), which returns a g500_stall with the step and level
// of the search; for the barrier of all ranks also published, publishes, sums, bins.upto, at.barriers, clock.wait and
// state.epochs.
//
// Proof that a search ends: a block does a bounded amount of work between two barriers, and every wait has a time
// limit.
#pragma once

#include "common/block.cuh"
#include "common/ranks.cuh"

namespace g500 {

// Arrives at a barrier of the rank's blocks. The block may work on until it waits.
template <typename Context>
__device__ __noinline__ void arrive_at_grid(Context &k) {
	__syncthreads();
	if (threadIdx.x != 0) return;
	k.at.arrivals += k.at.blocks;
	arrive(*k.ranks.barrier);
}

// Records the step and level at which a search was given up.
template <typename Context>
__device__ inline void say_where(const Context &k) {
	g500_stall &stall = k.ranks.control->stall;
	const g500_stall place = k.place();
	stall.step = place.step, stall.number = place.number;
	stall.nearest = place.nearest, stall.threshold = place.threshold;
}

// Gives the search up if the host requested it: on one rank here, on several ranks at their next barrier.
template <typename Context>
__device__ inline void end_if_requested(const Context &k) {
	if (heed_host(k.ranks) && k.ranks.count == 1 && give_up(k.ranks, {G500_HOST_REQUESTED})) say_where(k);
}

// Returns whether to wait longer for the rank's blocks.
template <typename Context>
__device__ __noinline__ bool may_wait_for_grid(const Context &k, Patience &patience) {
	if (blockIdx.x == 0) end_if_requested(k);
	const u32 arrived = *(volatile u32 *)&k.ranks.barrier->arrived, missing = k.at.arrivals - arrived;
	if (patience.holds(arrived, kOwnPatience * k.ranks.wait_ns)) return true;
	if (give_up(k.ranks, {G500_BLOCKS_MISSING, 0, k.at.blocks - missing, k.at.blocks})) say_where(k);
	return false;
}

template <typename Context>
__device__ __noinline__ void wait_for_grid(Context &k) {
	if (threadIdx.x == 0) {
		Patience patience;
		const auto may_wait = [&] { return may_wait_for_grid(k, patience); };
		if (!wait(*k.ranks.barrier, k.at.arrivals, may_wait)) k.at.failed = true;
	}
	__syncthreads();
}

// Checks, every few levels or rounds, whether the host has requested the end. Called by one thread per block.
template <typename Context>
__device__ __noinline__ void look_around(Context &k) {
	if (blockIdx.x == 0) end_if_requested(k);
	k.at.failed |= has_failed(*k.ranks.barrier);
}

template <typename Context>
__device__ void grid_barrier(Context &k) {
	arrive_at_grid(k);
	wait_for_grid(k);
}

// The counters that a rank publishes at a barrier of all ranks, and their layout: each word contains its own flag.

// Each word has its barrier's number in the 16 high bits, so a reader detects its arrival. A rank is at most one
// barrier ahead of another, so two sets of words suffice. Words bypass the caches of the multiprocessors; separate
// fences order other memory accesses.
constexpr int kBarrierShift = 48;
constexpr u64 kCounterMask = (1ull << kBarrierShift) - 1;
constexpr int kEndShift = kBarrierShift - 1;
constexpr u64 kEnd = 1ull << kEndShift; // added to a rank's vertices if its host has requested the end

// Published points to a rank's counters; null means 0. kPairs has one counter per rank.
struct Published {
	const ull *of[kCounters];
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

// Returns the address of one rank's words for another, in the receiver's window.
__device__ inline u64 *counters_in_window(const Ranks &ranks, unsigned char *window, u32 from, u32 barrier) {
	return reinterpret_cast<u64 *>(window + ranks.at.counters) + ((u64)(barrier & 1) * ranks.count + from) * kCounters;
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

// Publishing counters at a barrier of all ranks, and collecting their sums. The last block of a rank to arrive writes
// the rank's counters into the windows of its peers and its own. All blocks then wait for the counters of all ranks.
// Earlier writes of all ranks, to their own memory or their peers', are visible afterwards.

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

template <typename Context>
__device__ __noinline__ void arrive_published(Context &k) {
	__syncthreads();
	if (threadIdx.x >= 32) return;
	if (threadIdx.x == 0) {
		k.at.arrivals += k.at.blocks;
		k.publishes = arrive(*k.ranks.barrier) == k.at.arrivals;
		if (k.publishes) k.state.epochs->last_arrival = now_ns();
	}
	__syncwarp();
	if (k.publishes) publish(k.ranks, k.published, k.at.barriers + 1);
}

// Arrives at a barrier of all ranks. The last block of a rank publishes the rank's counters.
template <typename Context>
__device__ inline void arrive_at_ranks(Context &k, const Published &published) {
	if (threadIdx.x == 0) k.published = published;
	arrive_published(k);
}

// Waits until all ranks have published, and stores the sums in k.sums.
template <typename Context>
__device__ __noinline__ void wait_for_ranks(Context &k) {
	if (threadIdx.x < 32) {
		u32 *pairs = k.published.of[kPairs] ? k.bins.upto : nullptr;
		collect(k.ranks, k.sums, k.at.barriers + 1, pairs, k.publishes);
	}
	by_one_thread([&] {
		k.at.barriers++;
		k.at.failed |= k.sums.failed;
		if (k.sums.failed && k.publishes) say_where(k);
	});
	if (is_first_thread()) k.clock.wait += now_ns() - *(volatile u64 *)&k.state.epochs->last_arrival;
}

template <typename Context>
__device__ inline void rank_barrier(Context &k, const Published &published) {
	arrive_at_ranks(k, published);
	wait_for_ranks(k);
}

} // namespace g500
