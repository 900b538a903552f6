// Searches of ranks in query mode, with 32-bit ids.
#include "search/bfs.cuh"
#include "search/kernels.cuh"

namespace g500 {

const SearchLaunch kQueryingSearch{search_kernel<Querying>, Context<Querying>::bytes};

} // namespace g500
