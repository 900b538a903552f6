// SPDX-License-Identifier: Apache-2.0

// A barrier of all blocks of a cooperative launch with a time limit.
#pragma once

#include "common/grid_barrier.cuh"

namespace g500 {

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
