// How a search without progress ends. Every wait compares, from time to time, the value that it waits for: if it has
// not changed for long, the search is given up, and records the reason. The host ends a search by the same means.
#pragma once

#include "common/grid_barrier.cuh"
#include "common/stall.h"

namespace g500 {

// Control is host memory in which the host requests the end of a search, and a search writes why it has ended.
struct Control {
	alignas(kCacheLine) u32 ends; // the host wants the search to end
	alignas(kCacheLine) g500_stall stall;
};

// Gives a rank's search up, for a reason, unless another thread has done so before. Returns true if this call was the
// first.
__device__ inline bool give_up(GridBarrier &barrier, Control &control, const g500_stall &reason) {
	if (atomicExch(&barrier.failed, 1)) return false;
	control.stall = reason;
	fence_system();
	return true;
}

} // namespace g500
