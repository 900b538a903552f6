// The kernels of searches on several ranks.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

using SearchKernel = void (*)(Graph, State, Ranks, Policy, u32);

SearchKernel peer_kernel_address(); // a complete search, if all ranks are peers

} // namespace g500::sssp
