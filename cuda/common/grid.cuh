// SPDX-License-Identifier: Apache-2.0

// The barrier of one rank's blocks, called by all threads of a block. The context of a search has the members ranks,
// at.blocks, at.arrivals and at.failed, and place(), which returns a g500_stall with the step and level of the search.
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

} // namespace g500
