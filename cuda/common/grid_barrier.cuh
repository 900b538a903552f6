// SPDX-License-Identifier: Apache-2.0

// A barrier of all blocks of a cooperative launch. Arriving and waiting are two steps, so that a block can work in
// between. The counter of arrivals is never reset, and waits have a time limit, unlike waits of cooperative groups.
#pragma once

#include "common/device.cuh"
#include "common/errors.h"

namespace g500 {

// Patience belongs to one thread, which now and then compares the value that it waits for.
struct Patience {
	u64 until = 0; // 0 before the first comparison
	u64 seen = 0;

	// Returns whether to wait longer: `sees` has changed, or was the same for less than limit ns.
	__device__ inline bool holds(u64 sees, u64 limit) {
		const u64 now = now_ns();
		if (until == 0 || sees != seen) until = now + limit, seen = sees;
		return now < until;
	}
};

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

// The end of a search without progress. Each wait now and then compares the value that it waits for. If that has not
// changed within the time limit, the search is given up and the reason is recorded. The host ends a search by the same
// flags.

// Control is host memory: the host's request, and the search's reason to end.
struct Control {
	alignas(kCacheLine) u32 ends; // the host requests the end of the search
	alignas(kCacheLine) g500_stall stall;
};

// Gives a rank's search up and records the reason. Returns whether this is the first such call.
__device__ inline bool give_up(GridBarrier &barrier, Control &control, const g500_stall &reason) {
	if (atomicExch(&barrier.failed, 1)) return false;
	control.stall = reason;
	fence_system();
	return true;
}

} // namespace g500
