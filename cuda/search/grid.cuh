// The barrier of a rank's blocks, for a whole block. A search of any kernel has a context with the same members for it:
// ranks.barrier, at.blocks, at.arrivals, at.failed.
#pragma once

#include "common/grid_barrier.cuh"
#include "search/block.cuh"

namespace g500 {

// A block arrives at a barrier of its rank's blocks. Nobody waits for what it does before it waits itself.
template <typename Context>
__device__ __noinline__ void arrive_at_grid(Context &k) {
	__syncthreads();
	if (threadIdx.x != 0) return;
	k.at.arrivals += k.at.blocks;
	arrive(*k.ranks.barrier);
}

template <typename Context>
__device__ __noinline__ void wait_for_grid(Context &k) {
	if (threadIdx.x == 0 && !wait(*k.ranks.barrier, k.at.arrivals)) k.at.failed = true;
	__syncthreads();
}

template <typename Context>
__device__ void grid_barrier(Context &k) {
	arrive_at_grid(k);
	wait_for_grid(k);
}

} // namespace g500
