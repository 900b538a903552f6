// Bins of pairs by rank.
#pragma once

#include "common/types.cuh"

namespace g500 {

// PairBins is a block's counts of pairs by rank, in shared memory: 64 KiB for 8,192 ranks (ADR 65).
struct PairBins {
	union { // a block sends pairs, or takes them
		u32 *base; // place of the block's pairs in a rank's buffer
		u32 *upto; // received pairs of the ranks up to and including each
	};
	u32 *count; // pairs in the chunk; zero between chunks

	__host__ __device__ static constexpr u64 bytes(u32 ranks) { return ranks * 2 * sizeof(u32); }

	__device__ void place(void *at, u32 ranks) {
		base = reinterpret_cast<u32 *>(at);
		count = base + ranks;
	}
};

} // namespace g500
