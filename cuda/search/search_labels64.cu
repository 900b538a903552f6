// SPDX-License-Identifier: Apache-2.0

// Searches on several peers with 64-bit labels.
#include "search/bfs.cuh"
#include "search/kernels.cuh"

namespace g500 {

const SearchLaunch kLabels64Search{search_kernel<PeersLabels64>, Context<PeersLabels64>::bytes};
const ResultLaunch kResultLabels64 = result_launch<PeersLabels64>();

} // namespace g500
