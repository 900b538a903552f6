// CUB's sort of pairs, on a CPU.
#pragma once

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "cuda_runtime.h"

namespace cub {

struct DeviceRadixSort {
	// arrays: keys, sorted keys, values, sorted values, their number, the bits of a key that count, and the stream.
	template <typename... Arrays>
	static cudaError_t SortPairs(void *room, size_t &bytes, Arrays... arrays) {
		if (!room) return bytes = 1, cudaSuccess;
		return sort(std::make_tuple(arrays...));
	}

private:
	template <typename Arrays>
	static cudaError_t sort(const Arrays &arrays) {
		const auto [keys, sorted_keys, values, sorted, n, first_bit, last_bit, stream] = arrays;
		cudaStreamSynchronize(stream);
		std::vector<size_t> order(n);
		std::iota(order.begin(), order.end(), 0);
		std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return keys[a] < keys[b]; });
		for (size_t i = 0; i < n; i++) sorted_keys[i] = keys[order[i]], sorted[i] = values[order[i]];
		return cudaSuccess;
	}
};

} // namespace cub
