// The barrier of a rank's blocks, for a whole block. A search of any kernel has a context with the same members for it:
// ranks, at.blocks, at.arrivals, at.failed, and place(), which fills the part of a g500_stall that says where it is.
//
// Proof that a search ends: between two barriers a block does a bounded amount of work; and no barrier is waited for
// without an end.
#pragma once

#include "common/block.cuh"
#include "common/ranks.cuh"

namespace g500 {

// A block arrives at a barrier of its rank's blocks. Nobody waits for what it does before it waits itself.
template <typename Context>
__device__ __noinline__ void arrive_at_grid(Context &k) {
	__syncthreads();
	if (threadIdx.x != 0) return;
	k.at.arrivals += k.at.blocks;
	arrive(*k.ranks.barrier);
}

// Says where a search was given up.
template <typename Context>
__device__ inline void say_where(const Context &k) {
	g500_stall &stall = k.ranks.control->stall;
	const g500_stall place = k.place();
	stall.step = place.step, stall.number = place.number;
	stall.nearest = place.nearest, stall.threshold = place.threshold;
}

// Gives the search up if the host wants it to end: on one rank here, on several at the next barrier of all of them.
template <typename Context>
__device__ inline void end_if_requested(const Context &k) {
	if (heed_host(k.ranks) && k.ranks.count == 1 && give_up(k.ranks, {G500_HOST_REQUESTED})) say_where(k);
}

// Whether to wait any longer for the rank's blocks.
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

// Checks, every few levels or rounds, whether the host wants the search to end. One thread of each block.
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

} // namespace g500
