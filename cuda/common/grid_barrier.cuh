// A barrier of all blocks of a cooperative launch. Arriving and waiting are two steps, so that a block may do something
// in between. Arrivals are counted for ever, so that nothing has to be reset; and waiting has an end, which cooperative
// groups do not offer.
#pragma once

#include "common/patience.cuh"

namespace g500 {

constexpr int kCacheLine = 128; // bytes

// GridBarrier lies in device memory. What all blocks look at while they wait has a cache line of its own.
struct GridBarrier {
	alignas(kCacheLine) uint32_t arrived; // blocks, ever
	alignas(kCacheLine) uint32_t failed;  // somebody waits in vain: nobody waits any longer
	alignas(kCacheLine) uint32_t ends;    // the host wants the search to end: the next barrier of all ranks says so
};

constexpr uint32_t kPollsPerLook = 256; // while a thread waits

// One thread of a block lets it arrive. Who sees that it has arrived sees what it wrote before, and it sees what those
// wrote who arrived before it. Returns how many have arrived, ever.
__device__ inline uint32_t arrive(GridBarrier &barrier) { return fetch_add_acq_rel(&barrier.arrived) + 1; }

__device__ inline bool has_failed(const GridBarrier &barrier) { return *(const volatile uint32_t *)&barrier.failed; }

// Ends the waiting of all blocks of this rank.
__device__ inline void fail(GridBarrier &barrier) { *(volatile uint32_t *)&barrier.failed = 1; }

// Waits until so many blocks have arrived, ever; false if the barrier has failed. All blocks run, so that they arrive
// unless they have ended for that reason, or a fault keeps them: may_wait(), which is called now and then, says whether
// to wait any longer.
template <typename MayWait>
__device__ inline bool wait(const GridBarrier &barrier, uint32_t arrivals, MayWait may_wait) {
	for (uint32_t polls = 1; (int)(poll(&barrier.arrived) - arrivals) < 0; polls++)
		if (polls % kPollsPerLook == 0 && (has_failed(barrier) || !may_wait())) return false;
	load_acquire(&barrier.arrived);
	return true;
}

constexpr uint64_t kMostAtBarrier = 60'000'000'000; // ns

// All threads of all blocks wait for each other. `arrivals` is the number of all blocks' arrivals before, 0 at first.
// If some do not come within a minute, the kernel ends with an error.
__device__ inline void meet(GridBarrier &barrier, uint32_t &arrivals) {
	__syncthreads();
	arrivals += gridDim.x;
	if (threadIdx.x == 0) {
		Patience patience;
		arrive(barrier);
		if (!wait(barrier, arrivals, [&] { return patience.holds(barrier.arrived, kMostAtBarrier); })) __trap();
	}
	__syncthreads();
}

} // namespace g500
