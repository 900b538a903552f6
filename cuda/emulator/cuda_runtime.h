// What the search's sources use of CUDA, on a CPU: words and qualifiers here, memory in runtime.cc, and what threads do together
// in threads.h. It is included before every file, as nvcc does with its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __noinline__
#define __shared__ static // of kernels that are not run here
#define __grid_constant__
#define __launch_bounds__(...)

struct uint2 {
	uint32_t x, y;
};
struct alignas(16) uint4 {
	uint32_t x, y, z, w;
};
inline uint2 make_uint2(uint32_t x, uint32_t y) { return {x, y}; }
inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w) { return {x, y, z, w}; }

template <typename T, typename U>
inline std::common_type_t<T, U> min(T a, U b) {
	return std::min<std::common_type_t<T, U>>(a, b);
}
template <typename T, typename U>
inline std::common_type_t<T, U> max(T a, U b) {
	return std::max<std::common_type_t<T, U>>(a, b);
}

enum cudaError_t { cudaSuccess };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum { cudaHostAllocMapped };
using cudaStream_t = void *;

// New memory is full of bytes that no search writes.
cudaError_t cudaMalloc(void **at, size_t bytes);
cudaError_t cudaFree(void *at);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t);
cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t);

template <typename T>
inline cudaError_t cudaMalloc(T **at, size_t bytes) {
	return cudaMalloc((void **)at, bytes);
}
inline cudaError_t cudaHostAlloc(void **at, size_t bytes, unsigned) { return cudaMalloc(at, bytes); }
inline cudaError_t cudaFreeHost(void *at) { return cudaFree(at); }
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }

#include "threads.h"
