// Searches with 64-bit ids, of ranks in query mode or not.
#include "search/wide.cuh" // before its users

#include "search/bfs.cuh"
#include "search/kernels.cuh"

namespace g500 {

const SearchLaunch kWideSearch{search_kernel<Wide>, Context<Wide>::bytes};
const RelabelLaunch kWideRelabel = relabel_launch<Wide>();

} // namespace g500
