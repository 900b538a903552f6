// SPDX-License-Identifier: Apache-2.0

// CUB's sorts and prefix sums of whole arrays. cub.cu instantiates them for all kernels of the benchmark, because their
// headers and each instance take seconds to compile.
//
// Without `temp` a function only sets `bytes`, the size of its temporary memory (with_memory in common/check.cuh).
#pragma once

#include "common/device.cuh"

namespace g500 {

// Buffers is an array and space for as many items. A sort's passes go to and fro between them, and now is the outcome.
template <typename T>
struct Buffers {
	T *now, *other;
};

// KeyBits is the bits of keys that a sort compares: first to last-1.
struct KeyBits {
	int first, last;
};

// Stable sorts. Instantiated for the types that the kernels need (cub.cu).
template <typename K>
cudaError_t sort_keys(void *temp, size_t &bytes, Buffers<K> &keys, u64 n, KeyBits bits, cudaStream_t stream);
template <typename K, typename V>
cudaError_t sort_pairs(void *temp, size_t &bytes, Buffers<K> &keys, Buffers<V> &values, u64 n, KeyBits bits,
                       cudaStream_t stream);

// Replace each of n items, fewer than 2^31, by the sum of the items up to it, or before it.
template <typename T>
cudaError_t inclusive_sum(void *temp, size_t &bytes, T *items, u64 n, cudaStream_t stream);
template <typename T>
cudaError_t exclusive_sum(void *temp, size_t &bytes, T *items, u64 n, cudaStream_t stream);

} // namespace g500
