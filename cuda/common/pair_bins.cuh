// Bins of pairs by rank.
#pragma once

#include "common/types.cuh"

namespace g500 {

// PairBins is a block's counts of pairs by rank, in shared memory.
struct PairBins {
	u64 *base;  // place of the block's pairs in a rank's buffer
	u32 *count; // pairs in the chunk; zero between chunks
	u32 *upto;  // received pairs of the ranks up to and including each

	static u64 bytes(u32 ranks) { return ranks * (sizeof(u64) + 2 * sizeof(u32)); }

	__device__ void place(void *at, u32 ranks) {
		base = reinterpret_cast<u64 *>(at);
		count = reinterpret_cast<u32 *>(base + ranks);
		upto = count + ranks;
	}
};

} // namespace g500
