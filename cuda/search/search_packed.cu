// SPDX-License-Identifier: Apache-2.0

// Searches of packed rows, on one rank and on several peers.
#include "search/bfs.cuh"
#include "search/kernels.cuh"

namespace g500 {

const SearchLaunch kPackedSearch{search_kernel<OneRankPacked>, Context<OneRankPacked>::bytes};
const SearchLaunch kPackedPeerSearch{search_kernel<ManyRanksPacked>, Context<ManyRanksPacked>::bytes};

} // namespace g500
