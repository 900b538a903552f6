// CUB's prefix sum, on a CPU.
#pragma once

#include <numeric>

#include "cuda_runtime.h"

namespace cub {

struct DeviceScan {
	template <typename T>
	static cudaError_t InclusiveSum(void *room, size_t &bytes, const T *from, T *to, size_t n, cudaStream_t stream) {
		if (!room) return bytes = 1, cudaSuccess;
		cudaStreamSynchronize(stream);
		std::partial_sum(from, from + n, to);
		return cudaSuccess;
	}
};

} // namespace cub
