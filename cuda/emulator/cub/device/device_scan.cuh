// SPDX-License-Identifier: Apache-2.0

// CUB's prefix sums, on a CPU.
#pragma once

#include "cuda_runtime.h"

namespace cub {

struct DeviceScan {
	template <typename T>
	static cudaError_t InclusiveSum(void *temp, size_t &bytes, const T *from, T *to, size_t n, cudaStream_t stream) {
		if (!temp) return bytes = 1, cudaSuccess;
		cudaStreamSynchronize(stream);
		T sum = 0;
		for (size_t i = 0; i < n; i++) to[i] = sum += from[i];
		return cudaSuccess;
	}
};

} // namespace cub
