// The kernel with which several ranks search together, task by task.
#pragma once

namespace g500::sssp {

const void *task_kernel_address();

} // namespace g500::sssp
