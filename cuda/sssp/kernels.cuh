// The kernels with which several ranks search together.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

using SearchKernel = void (*)(Graph, State, Ranks, Policy, u32);

const void *task_kernel_address(); // task by task, where hosts exchange
SearchKernel peer_kernel_address(); // the whole search, where all ranks are peers

} // namespace g500::sssp
