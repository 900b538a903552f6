// A barrier of all blocks of a cooperative launch. Arriving and waiting are two steps, so that a block can work in
// between. The counter of arrivals is never reset, and waits have a time limit, unlike waits of cooperative groups.
#pragma once

#include "common/patience.cuh"

namespace g500 {

constexpr int kCacheLine = 128; // bytes

// GridBarrier is in device memory. Words that waiting blocks poll have cache lines of their own.
struct GridBarrier {
	alignas(kCacheLine) uint32_t arrived; // number of arrivals so far
	alignas(kCacheLine) uint32_t failed;  // a wait has timed out: all waits end
	alignas(kCacheLine) uint32_t ends;    // the host has requested the end; the next barrier of all ranks publishes it
};

constexpr uint32_t kPollsPerLook = 256; // while a thread waits

// Records the arrival of a block, by one of its threads, with acquire and release order. Returns the number of arrivals
// so far.
__device__ inline uint32_t arrive(GridBarrier &barrier) { return fetch_add_acq_rel(&barrier.arrived) + 1; }

__device__ inline bool has_failed(const GridBarrier &barrier) { return *(const volatile uint32_t *)&barrier.failed; }

// Ends the waits of all blocks of this rank.
__device__ inline void fail(GridBarrier &barrier) { *(volatile uint32_t *)&barrier.failed = 1; }

// Waits until the number of arrivals reaches `arrivals`. Returns false if the barrier has failed. All blocks are
// resident, so they arrive unless the barrier has failed or a fault stops them. Calls may_wait() now and then, which
// returns whether to wait longer.
template <typename MayWait>
__device__ inline bool wait(const GridBarrier &barrier, uint32_t arrivals, MayWait may_wait) {
	for (uint32_t polls = 1; (int)(poll(&barrier.arrived) - arrivals) < 0; polls++)
		if (polls % kPollsPerLook == 0 && (has_failed(barrier) || !may_wait())) return false;
	load_acquire(&barrier.arrived);
	return true;
}

constexpr uint64_t kMostAtBarrier = 60'000'000'000; // ns

// Waits, with all threads of all blocks, for each other. `arrivals` is the number of earlier arrivals, 0 at first. The
// kernel ends with an error after a minute.
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
