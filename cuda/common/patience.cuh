// How long a thread waits for the progress of others.
#pragma once

#include "common/device.cuh"

namespace g500 {

// Patience belongs to one thread, which compares the value that it waits for from time to time.
struct Patience {
	u64 until = 0; // 0 before the first look
	u64 seen = 0;

	// Whether to wait any longer, now that the thread sees this: it has changed, or was the same for less than limit ns.
	__device__ inline bool holds(u64 sees, u64 limit) {
		const u64 now = now_ns();
		if (until == 0 || sees != seen) until = now + limit, seen = sees;
		return now < until;
	}
};

} // namespace g500
