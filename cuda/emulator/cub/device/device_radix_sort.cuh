// CUB's sort of pairs, on a CPU.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "cuda_runtime.h"

namespace cub {

struct DeviceRadixSort {
	template <typename K, typename V>
	static cudaError_t SortPairs(void *room, size_t &bytes, const K *keys, K *sorted_keys, const V *values, V *sorted,
	                             size_t n, int, int, cudaStream_t stream) { // NOLINT: CUB's parameters
		if (!room) return bytes = 1, cudaSuccess;
		cudaStreamSynchronize(stream);
		std::vector<size_t> order(n);
		std::iota(order.begin(), order.end(), 0);
		std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return keys[a] < keys[b]; });
		for (size_t i = 0; i < n; i++) sorted_keys[i] = keys[order[i]], sorted[i] = values[order[i]];
		return cudaSuccess;
	}
};

} // namespace cub
