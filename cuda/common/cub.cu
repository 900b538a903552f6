// SPDX-License-Identifier: Apache-2.0
#include "common/cub.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace g500 {

template <typename... T>
cudaError_t sort_arrays(void *temp, size_t &bytes, Sorted of, cudaStream_t stream, Buffers<T> &...arrays) {
	return [&](cub::DoubleBuffer<T>... both) {
		cudaError_t code;
		if constexpr (sizeof...(T) == 1)
			code = cub::DeviceRadixSort::SortKeys(temp, bytes, both..., of.n, of.first_bit, of.last_bit, stream);
		else code = cub::DeviceRadixSort::SortPairs(temp, bytes, both..., of.n, of.first_bit, of.last_bit, stream);
		((arrays = {both.Current(), both.Alternate()}), ...);
		return code;
	}(cub::DoubleBuffer<T>(arrays.now, arrays.other)...);
}

template <typename T>
cudaError_t sum_up(void *temp, size_t &bytes, T *items, u64 n, cudaStream_t stream) {
	return cub::DeviceScan::InclusiveSum(temp, bytes, items, items, (int)n, stream);
}

template cudaError_t sort_arrays(void *, size_t &, Sorted, cudaStream_t, Buffers<u64> &);
template cudaError_t sort_arrays(void *, size_t &, Sorted, cudaStream_t, Buffers<u32> &, Buffers<u32> &);
template cudaError_t sort_arrays(void *, size_t &, Sorted, cudaStream_t, Buffers<u32> &, Buffers<u64> &);
template cudaError_t sort_arrays(void *, size_t &, Sorted, cudaStream_t, Buffers<u64> &, Buffers<u32> &);
template cudaError_t sum_up(void *, size_t &, u32 *, u64, cudaStream_t);
template cudaError_t sum_up(void *, size_t &, u64 *, u64, cudaStream_t);

} // namespace g500
