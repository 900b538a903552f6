// The time limit of waits for other threads' progress.
#pragma once

#include "common/device.cuh"

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

} // namespace g500
