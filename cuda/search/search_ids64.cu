// SPDX-License-Identifier: Apache-2.0

// Searches with 64-bit ids.
#include "search/bfs.cuh"
#include "search/ids64.cuh"
#include "search/kernels.cuh"

namespace g500 {

const SearchLaunch kIds64Search{search_kernel<Ids64>, Context<Ids64>::bytes};
const ResultLaunch kResult64 = result_launch<Ids64>();

} // namespace g500
