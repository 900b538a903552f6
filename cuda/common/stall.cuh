// The end of a search without progress. Each wait now and then compares the value that it waits for. If that has not
// changed within the time limit, the search is given up and the reason is recorded. The host ends a search by the same
// flags.
#pragma once

#include "common/grid_barrier.cuh"
#include "common/stall.h"

namespace g500 {

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
