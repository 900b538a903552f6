// The word with a vertex's distance.
#pragma once

#include "common/types.cuh"

namespace g500::sssp {

// A distance is a non-negative float, so distances are ordered like their words, and the highest bit is free. After the
// first sweep it marks distances beyond the threshold that are final.
constexpr u32 kFinal = 1u << 31;
constexpr u32 kInfinite = 0x7f800000; // bits of infinity: not reached

__device__ inline float infinity() { return __uint_as_float(kInfinite); }
__device__ inline float distance_in(u32 word) { return __uint_as_float(word & ~kFinal); }
__device__ inline bool is_final(u32 word) { return word & kFinal; }

} // namespace g500::sssp
