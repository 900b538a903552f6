// SPDX-License-Identifier: Apache-2.0

// CUB's sorts and prefix sums of whole arrays. cub.cu instantiates them for all kernels, because their headers and each
// instance take seconds to compile.
//
// Without `temp` they only set `bytes`, the size of their temporary memory (with_memory in common/check.cuh).
#pragma once

#include "common/device.cuh"

namespace g500 {

// Buffers is an array and space for as many items. A sort's passes go to and fro between them, and now is the outcome.
template <typename T>
struct Buffers {
	T *now, *other;
};

// Sorted is what a sort compares: the bits first_bit to last_bit-1 of n keys.
struct Sorted {
	u64 n;
	int first_bit, last_bit;
};

// Sorts keys, and values if there are any. Stable. Instantiated for the types that are needed.
template <typename... T>
cudaError_t sort_arrays(void *temp, size_t &bytes, Sorted of, cudaStream_t stream, Buffers<T> &...keys_and_values);

// Replaces each of n items, fewer than 2^31, by the sum of the items up to it.
template <typename T>
cudaError_t sum_up(void *temp, size_t &bytes, T *items, u64 n, cudaStream_t stream);

} // namespace g500
