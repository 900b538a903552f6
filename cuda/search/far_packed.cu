// SPDX-License-Identifier: Apache-2.0

// The kernels of searches of packed rows between ranks that are not peers.
#include "search/far_kernels.cuh"

namespace g500 {

const FarLaunch kFarPacked = far_launch<FarRanksPacked>();

} // namespace g500
