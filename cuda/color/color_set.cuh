// SPDX-License-Identifier: Apache-2.0

// The forbidden colours of a vertex, within a window of colours: a mask with a byte per colour (Chen et al., Algorithm
// 4), or bits that are cleared (section 3.2, "Bitset Operation"). Colours are counted from 0 here.
#pragma once

#include "common/bitmap.cuh"

namespace g500::color {

template <u32 kMost>
struct MaskSet {
	static constexpr u32 kColors = kMost;
	u8 taken[kMost];

	// Frees the first n colours; each thread a part.
	__device__ void open(u32 n, u32 own, u32 threads) {
		for (u32 c = own; c < n; c += threads) taken[c] = 0;
	}
	__device__ void forbid(u32 c) { taken[c] = 1; }
	__device__ void forbid_together(u32 c) { taken[c] = 1; }

	// Returns the first free colour of n, or kNone.
	__device__ u32 first(u32 n) const {
		for (u32 c = 0; c < n; c++)
			if (!taken[c]) return c;
		return kNone;
	}
};

template <u32 kMost>
struct BitSet {
	static constexpr u32 kColors = kMost;
	u32 free[kMost / 32];

	__device__ void open(u32 n, u32 own, u32 threads) {
		for (u32 i = own; 32 * i < n; i += threads) free[i] = ~0u;
	}
	__device__ void forbid(u32 c) { free[c / 32] &= ~(1u << c % 32); }
	__device__ void forbid_together(u32 c) { atomicAnd(free + c / 32, ~(1u << c % 32)); }

	__device__ u32 first(u32 n) const {
		for (u32 i = 0; 32 * i < n; i++)
			if (const u32 bit = __ffs(free[i])) return 32 * i + bit - 1 < n ? 32 * i + bit - 1 : kNone;
		return kNone;
	}
};

} // namespace g500::color
