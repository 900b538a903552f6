// SPDX-License-Identifier: Apache-2.0

// CUB's stable sorts on a CPU, by the given bits of the keys.
#pragma once

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "cub/util_type.cuh"
#include "cuda_runtime.h"

namespace cub {

struct DeviceRadixSort {
	// arrays: keys, sorted keys, values, sorted values, their number, the range of key bits, and the stream.
	template <typename... Arrays>
	static cudaError_t SortPairs(void *temp, size_t &bytes, const Arrays &...arrays) {
		if (!temp) return bytes = 1, cudaSuccess;
		const auto [keys, sorted_keys, values, sorted, n, first_bit, last_bit, stream] = std::tie(arrays...);
		cudaStreamSynchronize(stream);
		const Order order = order_of(keys, n, {first_bit, last_bit});
		place(order, keys, sorted_keys);
		place(order, values, sorted);
		return cudaSuccess;
	}

	// Sorts double buffers of keys and values. The result is in the other buffer of each after an odd number of passes.
	template <typename K, typename V, typename... Arrays>
	static cudaError_t SortPairs(void *temp, size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values,
	                             const Arrays &...arrays) {
		if (!temp) return bytes = 1, cudaSuccess;
		const auto [n, first_bit, last_bit, stream] = std::tie(arrays...);
		cudaStreamSynchronize(stream);
		const Order order = order_of(keys.Current(), n, {first_bit, last_bit});
		place(order, keys);
		place(order, values);
		if ((last_bit - first_bit + 7) / 8 % 2 == 0) {
			std::swap_ranges(keys.Current(), keys.Current() + n, keys.Alternate());
			std::swap_ranges(values.Current(), values.Current() + n, values.Alternate());
			keys.selector ^= 1, values.selector ^= 1;
		}
		return cudaSuccess;
	}

	// Sorts keys only, in ascending order.
	template <typename... Arrays>
	static cudaError_t SortKeys(void *temp, size_t &bytes, Arrays &&...arrays) {
		if (!temp) return bytes = 1, cudaSuccess;
		const auto [keys, n, first_bit, last_bit, stream] = std::tie(arrays...);
		cudaStreamSynchronize(stream);
		place(order_of(keys.Current(), n, {first_bit, last_bit}), keys);
		return cudaSuccess;
	}

private:
	using Order = std::vector<size_t>; // indices of the items, sorted

	struct Bits {
		int first, last;

		uint64_t of(uint64_t key) const { return (last < 64 ? key & ((1ull << last) - 1) : key) >> first; }
	};

	template <typename Key>
	static Order order_of(const Key *keys, size_t n, Bits bits) {
		Order order(n);
		std::iota(order.begin(), order.end(), 0);
		const auto is_before = [&](size_t a, size_t b) { return bits.of(keys[a]) < bits.of(keys[b]); };
		std::stable_sort(order.begin(), order.end(), is_before);
		return order;
	}

	template <typename T>
	static void place(const Order &order, const T *from, T *to) {
		for (size_t i = 0; i < order.size(); i++) to[i] = from[order[i]];
	}
	template <typename T>
	static void place(const Order &order, DoubleBuffer<T> &items) {
		place(order, items.Current(), items.Alternate());
		items.selector ^= 1;
	}
};

} // namespace cub
