// A block's counts of what it has for each rank.
#pragma once

#include "common/types.cuh"

namespace g500 {

// PairBins are a block's counts of pairs by rank, in shared memory.
struct PairBins {
	u64 *base;  // where the block's pairs go in a rank's buffer
	u32 *count; // in the chunk; zero between chunks
	u32 *upto;  // pairs that have come from the ranks up to each

	static u64 bytes(u32 ranks) { return ranks * (sizeof(u64) + 2 * sizeof(u32)); }

	__device__ void place(void *at, u32 ranks) {
		base = reinterpret_cast<u64 *>(at);
		count = reinterpret_cast<u32 *>(base + ranks);
		upto = count + ranks;
	}
};

} // namespace g500
