// SPDX-License-Identifier: Apache-2.0

// The kernels of searches with 64-bit ids, level by level, and of their results.
#include "search/far_kernels.cuh"
#include "search/ids64.cuh"

namespace g500 {

const FarLaunch kFar64 = far_launch<Far64>();
const ResultLaunch kResultIds64 = result_launch<Far64>();

} // namespace g500
