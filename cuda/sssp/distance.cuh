// The word in which a vertex' distance lies.
#pragma once

#include "common/types.cuh"

namespace g500::sssp {

// A distance is a float that is not negative, so its words rise with it and its highest bit is free. From the first
// sweep on that bit says that a distance beyond the threshold is final.
constexpr u32 kFinal = 1u << 31;
constexpr u32 kInfinite = 0x7f800000; // bits of infinity: not reached

__device__ inline float infinity() { return __uint_as_float(kInfinite); }
__device__ inline float distance_in(u32 word) { return __uint_as_float(word & ~kFinal); }
__device__ inline bool is_final(u32 word) { return word & kFinal; }

} // namespace g500::sssp
