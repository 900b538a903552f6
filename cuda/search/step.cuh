// SPDX-License-Identifier: Apache-2.0

// The steps of levels as kernels use them.
#pragma once

#include "common/types.cuh"
#include "search/step.h"

namespace g500 {

enum Step : u32 {
#define G500_ROW(NAME, constant, ...) constant = G500_##NAME,
	G500_STEPS(G500_ROW)
#undef G500_ROW
};

__host__ __device__ inline bool is_bottom_up(u32 step) {
#define G500_ROW(NAME, constant, name, direction, ...) || (direction == G500_BOTTOM_UP && step == constant)
	return false G500_STEPS(G500_ROW);
#undef G500_ROW
}

// Returns whether the level makes a new bitmap, from which the next frontier must be listed.
__host__ __device__ inline bool makes_bitmap(u32 step) { return is_bottom_up(step) || step == kPushSegments; }

// Returns whether the level lists the remaining vertices.
__host__ __device__ inline bool lists_remaining(Step step) {
#define G500_ROW(NAME, constant, name, direction, lists, ...) || (lists && step == constant)
	return false G500_STEPS(G500_ROW);
#undef G500_ROW
}

} // namespace g500
