// SPDX-License-Identifier: Apache-2.0

// The kernels of searches between ranks that are not peers, with 32-bit ids.
#include "search/far_kernels.cuh"

namespace g500 {

const FarLaunch kFar32 = far_launch<FarRanks>();

} // namespace g500
