// SPDX-License-Identifier: Apache-2.0
#include "common/cub.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace g500 {

// Calls sort with CUB's form of buffers, and sets them to what it says.
template <typename Sort, typename... T>
static cudaError_t with_buffers(Sort sort, Buffers<T> &...buffers) {
	return [&](cub::DoubleBuffer<T>... of) {
		const cudaError_t code = sort(of...);
		((buffers = {of.Current(), of.Alternate()}), ...);
		return code;
	}(cub::DoubleBuffer<T>(buffers.now, buffers.other)...);
}

template <typename K>
cudaError_t sort_keys(void *temp, size_t &bytes, Buffers<K> &keys, u64 n, KeyBits bits, cudaStream_t stream) {
	const auto sort = [&](auto &...of) {
		return cub::DeviceRadixSort::SortKeys(temp, bytes, of..., n, bits.first, bits.last, stream);
	};
	return with_buffers(sort, keys);
}

template <typename K, typename V>
cudaError_t sort_pairs(void *temp, size_t &bytes, Buffers<K> &keys, Buffers<V> &values, u64 n, KeyBits bits,
                       cudaStream_t stream) {
	const auto sort = [&](auto &...of) {
		return cub::DeviceRadixSort::SortPairs(temp, bytes, of..., n, bits.first, bits.last, stream);
	};
	return with_buffers(sort, keys, values);
}

template <typename T>
cudaError_t inclusive_sum(void *temp, size_t &bytes, T *items, u64 n, cudaStream_t stream) {
	return cub::DeviceScan::InclusiveSum(temp, bytes, items, items, (int)n, stream);
}

template <typename T>
cudaError_t exclusive_sum(void *temp, size_t &bytes, T *items, u64 n, cudaStream_t stream) {
	return cub::DeviceScan::ExclusiveSum(temp, bytes, items, items, (int)n, stream);
}

template cudaError_t sort_keys(void *, size_t &, Buffers<u64> &, u64, KeyBits, cudaStream_t);
template cudaError_t sort_pairs(void *, size_t &, Buffers<u32> &, Buffers<u32> &, u64, KeyBits, cudaStream_t);
template cudaError_t sort_pairs(void *, size_t &, Buffers<u32> &, Buffers<u64> &, u64, KeyBits, cudaStream_t);
template cudaError_t sort_pairs(void *, size_t &, Buffers<u64> &, Buffers<u32> &, u64, KeyBits, cudaStream_t);
template cudaError_t inclusive_sum(void *, size_t &, u32 *, u64, cudaStream_t);
template cudaError_t inclusive_sum(void *, size_t &, u64 *, u64, cudaStream_t);
template cudaError_t exclusive_sum(void *, size_t &, u64 *, u64, cudaStream_t);

} // namespace g500
