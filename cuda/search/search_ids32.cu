// SPDX-License-Identifier: Apache-2.0

// Searches on one rank and on several ranks that replicate all bits, with 32-bit ids.
#include "search/bfs.cuh"
#include "search/kernels.cuh"

namespace g500 {

const SearchLaunch kOneRankSearch{search_kernel<OneRank>, Context<OneRank>::bytes};
const SearchLaunch kManyRanksSearch{search_kernel<ManyRanks>, Context<ManyRanks>::bytes};
const ResultLaunch kResult32 = result_launch<ManyRanks>();

} // namespace g500
