// Searches in query mode with 32-bit ids.
#include "search/bfs.cuh"
#include "search/kernels.cuh"

namespace g500 {

const SearchLaunch kQuerySearch{search_kernel<QueryRanks>, Context<QueryRanks>::bytes};

} // namespace g500
