// How a search ends that does not go on. Every wait looks now and then at what it waits for: if that has not changed
// for long, the search is given up, and says why. The host ends a search in the same way.
#pragma once

#include "common/grid_barrier.cuh"
#include "common/stall.h"

namespace g500 {

// Control is host memory in which the host ends a search, and a search says why it has ended.
struct Control {
	alignas(kCacheLine) u32 ends; // the host wants the search to end
	alignas(kCacheLine) g500_stall stall;
};

// Gives a rank's search up, for a reason, unless somebody has done so before. Returns whether nobody has.
__device__ inline bool give_up(GridBarrier &barrier, Control &control, const g500_stall &reason) {
	if (atomicExch(&barrier.failed, 1)) return false;
	control.stall = reason;
	fence_system();
	return true;
}

} // namespace g500
