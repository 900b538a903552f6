// The barrier of all ranks, called by all threads of a block. The context of a search has the members that grid.cuh
// requires, and published, publishes, sums, bins.upto, at.barriers, clock.wait and state.epochs.
#pragma once

#include "common/grid.cuh"
#include "common/publish.cuh"

namespace g500 {

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
