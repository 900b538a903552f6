// Searches of one rank, and of several that replicate all bits; with 32-bit ids.
#include "search/bfs.cuh"
#include "search/kernels.cuh"

namespace g500 {

const SearchLaunch kAloneSearch{search_kernel<Alone>, Context<Alone>::bytes};
const SearchLaunch kSeveralSearch{search_kernel<Several>, Context<Several>::bytes};
const RelabelLaunch kNarrowRelabel = relabel_launch<Several>();

} // namespace g500
