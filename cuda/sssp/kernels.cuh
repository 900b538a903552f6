// The kernels with which several ranks search together.
#pragma once

namespace g500::sssp {

const void *task_kernel_address(); // task by task, where hosts exchange
const void *peer_kernel_address(); // the whole search, where all ranks are peers

} // namespace g500::sssp
